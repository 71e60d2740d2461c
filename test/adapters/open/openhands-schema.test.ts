// What the adapter asks of an agent-server and reads of its answers is in the schema of release 1.44.1: as it was written down here
// (openapi-1.44.1.json), which is compared with the server's own document where one is given (HCA_TEST_OPENHANDS).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { stateOf, wake } from '#shared/adapters/aws/agent-server-wake.ts';
import {
  FolderPage,
  HomeAnswer,
  OutputPage,
  OutputPiece,
  ServerAbout,
  StartedCommand,
} from '#shared/adapters/open/openhands/wire.ts';
import { GIVEN } from './given-server.ts';
import { served } from './served-sandbox.ts';

const Call = z.object({
  parameters: z.array(z.string()),
  takes: z.string().nullable(),
  answers: z.string().nullable(),
});
const Fields = z.object({ fields: z.array(z.string()), required: z.array(z.string()) });
const Written = z.object({ calls: z.record(z.string(), Call), schemas: z.record(z.string(), Fields) });

const WRITTEN = Written.parse(JSON.parse(readFileSync(join(import.meta.dirname, 'openapi-1.44.1.json'), 'utf8')));

type Sent = { call: string; query: string[]; body: string[] | null };

const keysOf = (body: unknown): string[] | null => {
  if (body instanceof FormData) return [...body.keys()];
  return typeof body === 'string' ? Object.keys(JSON.parse(body)) : null;
};

/** Every request that is made, as the schema has it; an id in a path stands for any. */
const recorded = (): Sent[] => {
  const sent: Sent[] = [];
  const real = globalThis.fetch;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const { pathname, searchParams } = new URL(String(input));
    const path = pathname.replace(/(?<=bash_events\/)[0-9a-f]{32}$/, '{event_id}');
    sent.push({ call: `${init?.method ?? 'GET'} ${path}`, query: [...searchParams.keys()], body: keysOf(init?.body) });
    return real(input, init);
  });
  return sent;
};
afterEach(() => void vi.restoreAllMocks());

/** What is wrong with a request, by the schema. */
const wrongWith = ({ call, query, body }: Sent): string[] => {
  const known = WRITTEN.calls[call];
  if (known === undefined) return [`${call} is no call of the server`];
  const { fields, required } = WRITTEN.schemas[known.takes ?? ''] ?? { fields: [], required: [] };
  return [
    ...query.filter((name) => !known.parameters.includes(name)).map((name) => `${call} has no parameter ${name}`),
    ...(body ?? []).filter((name) => !fields.includes(name)).map((name) => `${call} takes no ${name}`),
    ...required.filter((name) => !(body ?? []).includes(name)).map((name) => `${call} needs ${name}`),
  ];
};

describe('the schema of release 1.44.1', () => {
  it('has whatever is asked in the life of a session, and when a server is woken', async () => {
    const { open, run, sandbox, next, server } = await served(false, {
      'a.txt': 'a',
      'large.bin': new Uint8Array(8_100_000),
    });
    const sent = recorded();
    const tree = await open('s1');
    await run('s1', 'sleep 1; echo A >a.txt', { stdin: 'x' });
    await sandbox.write('s1', 'b.txt', 'b');
    await sandbox.read('s1', 'large.bin');
    await sandbox.archive('s1');
    await sandbox.restore('s1', tree);
    await next().sweep(new Set());
    await wake(server.url, { wake_key: 'w', key: 'k' });
    await stateOf(server.url);
    expect([...new Set(sent.flatMap(wrongWith))]).toEqual([]);
    expect([...new Set(sent.map(({ call }) => call))].sort()).toEqual(Object.keys(WRITTEN.calls).sort());
  });

  it.each([
    ['BashCommand', StartedCommand],
    ['BashOutput', OutputPiece],
    ['BashEventPage', OutputPage],
    ['HomeResponse', HomeAnswer],
    ['SubdirectoryPage', FolderPage],
    ['SubdirectoryEntry', FolderPage.shape.items.element],
    ['ServerInfo', ServerAbout.omit({ hca: true }).extend({ idle_time: z.number() })],
    ['InitStatus', z.object({ state: z.string() })],
  ])('%s has what is read of it', (name, schema) => {
    const read = Object.keys(schema.shape);
    expect(read.length).toBeGreaterThan(0);
    expect(WRITTEN.schemas[name]?.fields).toEqual(expect.arrayContaining(read));
  });

  it.skipIf(GIVEN === undefined)('is what the server says of itself', async () => {
    const said = OpenApi.parse(await (await fetch(`${GIVEN?.url}/openapi.json`)).json());
    expect(said.info.version).toMatch(/^1\.44\./);
    const calls = Object.fromEntries(Object.keys(WRITTEN.calls).map((call) => [call, callOf(said, call)]));
    const schemas = Object.fromEntries(Object.keys(WRITTEN.schemas).map((name) => [name, fieldsOf(said, name)]));
    expect({ calls, schemas }).toEqual(WRITTEN);
  });
});

const Content = z.record(
  z.string(),
  z.object({ schema: z.object({ $ref: z.string().default('') }).default({ $ref: '' }) }),
);
const Operation = z.object({
  parameters: z.array(z.object({ name: z.string(), in: z.string() })).default([]),
  requestBody: z.object({ content: Content }).optional(),
  responses: z.object({ 200: z.object({ content: Content.default({}) }) }),
});
const Schema = z.object({
  properties: z.record(z.string(), z.unknown()).default({}),
  required: z.array(z.string()).default([]),
});
const OpenApi = z.object({
  info: z.object({ version: z.string() }),
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
});
type OpenApi = z.infer<typeof OpenApi>;

const nameIn = (content: z.infer<typeof Content> | undefined): string | null =>
  Object.values(content ?? {})[0]
    ?.schema.$ref.split('/')
    .at(-1) || null;

function callOf({ paths }: OpenApi, call: string): z.infer<typeof Call> {
  const [method = '', path = ''] = call.split(' ');
  const { parameters, requestBody, responses } = Operation.parse(paths[path]?.[method.toLowerCase()]);
  const names = parameters.filter((one) => one.in !== 'header').map(({ name }) => name);
  return { parameters: names.sort(), takes: nameIn(requestBody?.content), answers: nameIn(responses[200].content) };
}

function fieldsOf({ components }: OpenApi, name: string): z.infer<typeof Fields> {
  const { properties, required } = Schema.parse(components.schemas[name]);
  return { fields: Object.keys(properties).sort(), required: [...required].sort() };
}
