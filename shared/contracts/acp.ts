// The northbound door: one row per `_hca/*` method (architecture 5 and 9). Its readers: the dispatcher, the typed client, the command,
// `_hca/methods`. Everything the command can do is a method; `command` names the one that uses it.
import * as z from 'zod';
import { HARNESS_METHODS } from './acp-harness.ts';
import { HOLARCHY_METHODS } from './acp-holarchy.ts';
import { DeadLetterRow, HealthCheck, MethodLine, type MethodRow, Pong, Principal, Swept } from './acp-host.ts';
import { LESSON_METHODS } from './acp-lessons.ts';
import { TASK_METHODS } from './acp-task-methods.ts';
import { WORKSPACE_METHODS } from './acp-workspace.ts';

const nothing = z.object({});

export const METHODS = {
  '_hca/ping': {
    params: nothing,
    result: Pong,
    scope: 'read',
    summary: 'Who answers, and which version.',
    command: 'up',
  },
  '_hca/whoami': {
    params: nothing,
    result: Principal,
    scope: 'read',
    summary: 'Who asks, and what they may do.',
    command: 'whoami',
  },
  '_hca/methods': {
    params: nothing,
    result: z.object({ methods: z.array(MethodLine) }),
    scope: 'read',
    summary: 'Every method with the JSON schemas of its params and result.',
    command: 'help methods',
  },
  ...TASK_METHODS,
  ...WORKSPACE_METHODS,
  ...LESSON_METHODS,
  ...HOLARCHY_METHODS,
  ...HARNESS_METHODS,
  '_hca/dead-letter/list': {
    params: nothing,
    result: z.object({ letters: z.array(DeadLetterRow) }),
    scope: 'admin',
    summary: 'Messages that could not be delivered.',
    command: 'dead-letters list',
  },
  '_hca/dead-letter/redrive': {
    params: z.object({ id: z.string().min(1).max(300) }),
    result: z.object({ redriven: z.int() }),
    scope: 'admin',
    summary: 'Delivers one of them again, or `all`.',
    command: 'dead-letters redrive',
  },
  '_hca/doctor': {
    params: nothing,
    result: z.object({ checks: z.array(HealthCheck) }),
    scope: 'admin',
    summary: 'Checks the host and its home.',
    command: 'doctor',
  },
  '_hca/gc': {
    params: z.object({ keep_days: z.int().min(0).max(36_500).default(30) }),
    result: Swept,
    scope: 'admin',
    summary: 'Removes what finished tasks left behind.',
    command: 'gc',
  },
  '_hca/down': {
    params: nothing,
    result: z.object({ pid: z.int(), open: z.int() }),
    scope: 'admin',
    summary: 'Ends the host; open tasks go on when it starts again.',
    command: 'down',
  },
} as const satisfies Record<`_hca/${string}`, MethodRow>;

export type MethodName = keyof typeof METHODS;
/** What a caller gives: fields with a default may be left out. */
export type ParamsIn<M extends MethodName> = z.input<(typeof METHODS)[M]['params']>;
/** What a handler gets. */
export type ParamsOf<M extends MethodName> = z.output<(typeof METHODS)[M]['params']>;
export type ResultOf<M extends MethodName> = z.output<(typeof METHODS)[M]['result']>;

/** Narrows a method that came over the wire. */
export const isMethod = (name: string): name is MethodName => Object.hasOwn(METHODS, name);

/** Typed view of the table, so that a method's schemas are known from its name. */
const SCHEMAS: { [M in MethodName]: { params: z.ZodType<ParamsOf<M>>; result: z.ZodType<ResultOf<M>> } } = METHODS;

/** Params as a handler gets them, or what is wrong with them. */
export const readParams = <M extends MethodName>(method: M, params: unknown): z.ZodSafeParseResult<ParamsOf<M>> =>
  SCHEMAS[method].params.safeParse(params ?? {});

/** A result as it was declared; throws on one that is not. */
export const readResult = <M extends MethodName>(method: M, result: unknown): ResultOf<M> =>
  SCHEMAS[method].result.parse(result);

/** The table as it is advertised, with JSON schemas. */
export const methodLines = (): MethodLine[] =>
  Object.entries(METHODS).map(([method, row]: [string, MethodRow]) => ({
    method,
    scope: row.scope,
    summary: row.summary,
    command: row.command,
    params: { ...z.toJSONSchema(row.params, { io: 'input', unrepresentable: 'any' }) },
    result: { ...z.toJSONSchema(row.result, { io: 'output', unrepresentable: 'any' }) },
  }));
