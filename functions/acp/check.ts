// Params of a northbound request, checked: the first thing that is wrong becomes a fault with field and remedy (architecture 10).
import { type MethodName, type ParamsOf, readParams } from '#shared/contracts/acp.ts';
import { HcaFault } from '#shared/contracts/errors.ts';

/** What to do about a field that was refused; a field that is not here explains itself. */
const REMEDIES: Readonly<Record<string, string>> = {
  goal: 'say what should be true afterwards, in at most 16,000 characters of plain text, for example "make lint and tests pass"',
  workspace: 'give the absolute path of an existing folder',
  'workspace.git.url': 'give an https URL',
  'workspace.git.ref': 'give the name of a branch or a tag, or the id of a commit',
  'workspace.git.credential': 'give the name of a secret of the host: letters, digits, dot, hyphen and underscore',
  criteria:
    'a criteria file is a list of commands, or of entries with command, file, schema or diff; see "hca help criteria"',
  budget: 'write it like usd=1,tokens=200000,calls=100,time=15m with every amount above zero',
  retries: 'give a number of attempts from 1 to 32',
  task: 'use the id that "hca tasks" lists, "last", or 4 or more characters of its beginning or end',
  id: 'leave it out, or send a ULID of your own',
  card: 'see "hca card <holon>" for one that is right',
  file: 'see "hca holarchy show" for one that is right',
  mode: 'use check, write or 3way',
  lesson: 'use the id that "hca lessons list" shows, or the id of the task that taught it',
  text: 'at most 200,000 characters, of which the first 4,000 count',
  trust: 'use retired, quarantined, provisional or confirmed',
  type: 'use pattern or antipattern',
  lessons: 'give 1 to 500 lessons, one JSON document each, as "hca lessons export" writes them',
};

/** The params of a method. @throws HcaFault HcaBadInput naming the first field that is wrong. */
export const checkParams = <M extends MethodName>(method: M, params: unknown): ParamsOf<M> => {
  const read = readParams(method, params);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  const field = issue?.path.map(String).join('.') ?? '';
  const top = String(issue?.path[0] ?? '');
  const remedy = REMEDIES[field] ?? REMEDIES[top] ?? `_hca/methods has the schema of what ${method} takes`;
  throw new HcaFault('HcaBadInput', {
    message: `${field === '' ? 'params' : field}: ${issue?.message ?? 'not as declared'}`,
    field: field === '' ? 'params' : field,
    remedy,
  });
};
