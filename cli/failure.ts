// How a command fails: one sentence, the field, the remedy, and an exit code (architecture 10). In --json mode the same as a document.
import { FAULTS, toFault } from '#shared/contracts/errors.ts';
import type { App } from './app.ts';
import { plain } from './screen.ts';

/** Says what went wrong and answers with the exit code. A bug of ours also shows where it happened. */
export const fail = (app: Pick<App, 'json' | 'document'>, caught: unknown): number => {
  const fault = toFault(caught);
  const { code, message, field, remedy } = fault;
  if (app.json) app.document({ error: { code, field: field ?? null, message, remedy: remedy ?? null } });
  else process.stderr.write(`${linesOf({ message, field, remedy }).map(safeLine).join('\n')}\n`);
  if (code === 'HcaInternal' && fault.cause instanceof Error) process.stderr.write(`${fault.cause.stack ?? ''}\n`);
  return FAULTS[code].exit;
};

/** The indent is ours; what follows may quote anything. */
const safeLine = (line: string): string => `${/^ */.exec(line)?.[0] ?? ''}${plain(line)}`;

const linesOf = (fault: { message: string; field: string | undefined; remedy: string | undefined }): string[] => [
  `hca: ${fault.message}`,
  ...(fault.field === undefined || fault.message.startsWith(fault.field) ? [] : [`  where:  ${fault.field}`]),
  ...(fault.remedy === undefined ? [] : [`  remedy: ${fault.remedy}`]),
];
