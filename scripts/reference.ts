// The generated reference, `npm run reference`: steps, messages, faults, the door's methods and the commands, each from the table that is
// also run. test/unit/reference.test.ts fails while what is committed is not what this makes.

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { COMMANDS } from '#cli/commands.ts';
import { METHODS } from '#shared/contracts/acp.ts';
import { EXIT, FAULTS } from '#shared/contracts/errors.ts';
import { MESSAGES, PARAMS, RESULTS } from '#shared/contracts/messages.ts';
import { STEPS, type StepRow } from '#shared/contracts/steps.ts';

const FOLDER = fileURLToPath(new URL('../docs/reference/', import.meta.url));

/** Text of every page by its file name. */
export const referencePages = (): ReadonlyMap<string, string> =>
  new Map([
    ['steps.md', page('Steps', 'shared/contracts/steps.ts', stepsTable())],
    ['messages.md', page('Messages', 'shared/contracts/messages.ts', messagesTable())],
    ['errors.md', page('Faults and exit codes', 'shared/contracts/errors.ts', errorsTable())],
    ['door.md', page('Methods of the northbound door', 'shared/contracts/acp.ts', doorTable())],
    ['commands.md', page('Commands', 'cli/commands.ts', commands())],
  ]);

const page = (title: string, source: string, body: string): string =>
  `# ${title}\n\nGenerated from \`${source}\` by \`npm run reference\`; do not edit.\n\n${body}\n`;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.map(cell).join(' | ')} |`).join('\n');

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

const code = (text: string): string => `\`${text}\``;

const stepsTable = (): string => {
  const rows: [string, StepRow][] = Object.entries(STEPS);
  return table(
    ['Step', 'Called by', 'Works on', 'Answers', 'Ports', 'Stops when marked', 'Waits'],
    rows.map(([name, row]) => [
      code(name),
      calledBy(row),
      row.record,
      fieldsOf(row.output),
      Object.entries(row.ports)
        .map(([port, access]) => `${port} (${access})`)
        .join(', '),
      row.heeds ? 'yes' : 'no',
      row.waits ? 'yes' : 'no',
    ]),
  );
};

const calledBy = ({ input }: StepRow): string => {
  const fields = Object.keys(shapeOf(input));
  if (fields.includes('message')) return 'a message';
  return fields.includes('tick') ? 'a machine' : 'the end of an execution, or every minute';
};

const messagesTable = (): string =>
  table(
    ['Method', 'Direction', 'Published by', 'Consumed by', 'Carries'],
    Object.entries(MESSAGES).map(([method, { direction, publishers, consumer }]) => [
      code(method),
      direction,
      publishers.join(', '),
      consumer ?? 'nobody: journalled where it is asked',
      fieldsOf(carriedBy(method)),
    ]),
  );

const carriedBy = (method: string): z.ZodType => {
  const result = Object.entries(RESULTS).find(([name]) => `${name}.result` === method)?.[1];
  const found = result ?? Object.entries(PARAMS).find(([name]) => name === method)?.[1];
  if (found === undefined) throw new Error(`bug: ${method} has neither params nor a result`);
  return found;
};

const errorsTable = (): string => {
  const faults = Object.entries(FAULTS).map(([fault, { retryable, rpc, http, exit }]) => [
    code(fault),
    retryable ? 'yes' : 'no',
    String(rpc),
    String(http),
    String(exit),
  ]);
  const exits = Object.entries(EXIT).map(([name, exit]) => [String(exit), name]);
  return [
    table(['Fault', 'Retried', 'JSON-RPC', 'HTTP', 'Exit'], faults),
    '## Exit codes',
    table(['Exit', 'How it ended'], exits),
  ].join('\n\n');
};

const doorTable = (): string =>
  table(
    ['Method', 'Scope', 'Command', 'What', 'Params', 'Result'],
    Object.entries(METHODS).map(([method, row]) => [
      code(method),
      row.scope,
      row.command,
      row.summary,
      fieldsOf(row.params),
      fieldsOf(row.result),
    ]),
  );

const commands = (): string =>
  COMMANDS.map(({ name, args, summary, options, examples }) =>
    [
      `## hca ${[name, ...args.map((arg) => arg.name)].join(' ')}`,
      `${summary}.`,
      lines([...args.map((arg) => [arg.name, arg.text]), ...options.map(({ flags, text }) => [flags, text])]),
      `\`\`\`sh\n${examples.join('\n')}\n\`\`\``,
    ]
      .filter((part) => part !== '')
      .join('\n\n'),
  ).join('\n\n');

const lines = (pairs: readonly (readonly string[])[]): string =>
  pairs.map(([name = '', text = '']) => `- ${code(name)}: ${text}`).join('\n');

type JsonSchema = z.core.JSONSchema.JSONSchema;

/** `name: type` of every field, as a reader needs it to look further in the contract. */
const fieldsOf = (schema: z.ZodType): string => {
  const { required = [], ...rest } = jsonOf(schema);
  const fields = Object.entries(rest.properties ?? {});
  return fields
    .map(([name, field]) => `${code(name)}${required.includes(name) ? '' : '?'}${wordsOf(field)}`)
    .join(', ');
};

const shapeOf = (schema: z.ZodType): object => jsonOf(schema).properties ?? {};

const jsonOf = (schema: z.ZodType): JsonSchema => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });

/** The words of an enumeration, which are what a Choice compares. */
const wordsOf = (field: JsonSchema | boolean): string =>
  typeof field === 'object' && field.enum !== undefined ? ` (${field.enum.join(', ')})` : '';

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(FOLDER, { recursive: true });
  for (const [file, text] of referencePages()) writeFileSync(path.join(FOLDER, file), text);
}
