// Help pages that belong to no single command.

import { METHODS } from '#shared/contracts/acp.ts';
import { EXIT } from '#shared/contracts/errors.ts';

/** Ctrl-C while following a task: the task goes on, so this is no outcome of it. 128 + SIGINT, as a shell reports it. */
export const DETACHED = 130;

/** `hca holarchy diff`: the file would change something, as `diff` itself says it. */
export const DIFFERS = EXIT.internal;

const MEANING: Readonly<Record<keyof typeof EXIT, string>> = {
  accepted: 'the task was accepted, or the command did what it was asked',
  internal: 'a bug of ours or a fault that retrying did not mend; of holarchy diff: there are differences',
  bad_input: 'something given was wrong, does not exist or cannot be done; nothing was changed',
  escalated: 'the task went up to the root and could not be finished; the evidence is kept',
  rejected: 'the goal was not taken on: nothing here can do it or check it',
  cancelled: 'the task was cancelled',
  unavailable: 'no host answers and none could be started',
};

const exitCodes = [
  'Exit codes:',
  ...Object.entries(EXIT).map(([name, code]) => `  ${String(code).padStart(3)}  ${name.padEnd(12)} ${meaningOf(name)}`),
  `  ${DETACHED}  detached     Ctrl-C while following, or the reader of the output left: the task goes on`,
];

const criteria = `A criteria file (--criteria FILE) is YAML or JSON: a list of what must hold, besides what the goal asks for.

  - npm run build                     # a command: must exit with 0
  - text: the API answers             # the same with more said
    command: node check.mjs
    cwd: api                          # "." by default
    exit: 0
    timeout: 30s
    level: should                     # "must" by default
  - file: dist/index.js               # must exist; "exists: false": must not
    matches: "^export "               # its text must match, line by line
  - schema: { type: object }          # a JSON or YAML file against a JSON schema
    path: config.json
  - diff: { max_files: 5, forbid: ["**/*.lock"] }   # limits on the change
    allows: [tests]                   # tests, config, scripts, lock: may be edited after all
`;

const methods = [
  'Everything the command does is a request to the northbound door (JSON schemas: _hca/methods):',
  ...Object.entries(METHODS).map(([name, row]) => `  ${name.padEnd(26)} ${row.scope.padEnd(8)} ${row.summary}`),
];

/** Page by name. */
export const TOPICS: Readonly<Record<string, string>> = {
  'exit-codes': `${exitCodes.join('\n')}\n`,
  criteria,
  methods: `${methods.join('\n')}\n`,
};

function meaningOf(name: string): string {
  return Object.entries(MEANING).find(([key]) => key === name)?.[1] ?? '';
}
