// The register of hca/* messages: one row per method (requirements section 2). The method is the detail-type, word for word.
import * as z from 'zod';
import { ArtifactRef } from './artifact.ts';
import { Budget } from './budget.ts';
import { CheckRun, Criterion } from './criterion.ts';
import { Escalation } from './escalation.ts';
import { LessonCredit, LessonQuery } from './lesson.ts';
import { Constraints, CounterReply, OfferAnswer, TaskSpec, Workspace } from './offer.ts';
import { Verdict } from './verdict.ts';

const offer = z.int().min(1);

/** Payload of every method. `offer` names the offer a message answers, so that an old answer is never taken for a new one. */
export const PARAMS = {
  'hca/task/delegate': z.object({ offer, spec: TaskSpec, constraints: Constraints }),
  'hca/task/negotiate': z.object({
    offer,
    parent: z.string().nullable(),
    say: z.union([OfferAnswer, z.object({ reply: CounterReply })]),
  }),
  'hca/task/complete': z.object({
    offer,
    parent: z.string().nullable(),
    status: z.enum(['completed', 'cancelled']),
    artifacts: z.array(ArtifactRef).max(16),
    verdict: Verdict.nullable(),
    reservations: z.array(z.string()).max(64),
    spent: Budget,
  }),
  'hca/task/escalate': z.object({ offer, parent: z.string().nullable(), escalation: Escalation }),
  'hca/task/cancel': z.object({ cause: z.string().max(500) }),
  'hca/review/request': z.object({
    review: z.string(),
    iteration: z.int().min(1),
    goal: z.string(),
    criteria: z.array(Criterion).max(64),
    artifacts: z.array(ArtifactRef).max(16),
    workspace: Workspace.nullable(),
    baseline: z.array(CheckRun).max(64),
  }),
  'hca/review/verdict': z.object({ verdict: Verdict }),
  'hca/knowledge/contribute': z.object({
    lessons: z
      .array(z.record(z.string(), z.unknown()))
      .min(1)
      .max(16)
      .describe('the write gate says what is wrong with one'),
    credits: z.array(LessonCredit).max(64).default([]),
  }),
  'hca/knowledge/query': LessonQuery,
} as const;

/** Result of the methods that are acknowledged by a response. */
export const RESULTS = {
  'hca/task/delegate': z.object({ received: z.literal(true), offer }),
  'hca/knowledge/contribute': z.object({
    lessons: z.array(
      z.object({ id: z.string(), status: z.enum(['stored', 'grouped', 'quarantined', 'refused']), reason: z.string() }),
    ),
    credits: z.array(z.object({ lesson: z.string(), status: z.string(), reason: z.string() })).default([]),
  }),
  'hca/knowledge/query': z.object({
    lessons: z.array(z.object({ id: z.string(), version: z.int(), score: z.number(), why: z.array(z.string()) })),
  }),
} as const;

export type Method = keyof typeof PARAMS;
export type ResultMethod = keyof typeof RESULTS;
export type Params<M extends Method> = z.infer<(typeof PARAMS)[M]>;
export type ResultOf<M extends ResultMethod> = z.infer<(typeof RESULTS)[M]>;

/** Row of the register: direction, who publishes, and the one step subscribed to it (null: journalled where it is asked). */
export const MESSAGES = {
  'hca/task/delegate': { direction: 'down', publishers: ['delegate', 'acp'], consumer: 'answer' },
  'hca/task/delegate.result': { direction: 'up', publishers: ['answer'], consumer: 'route' },
  'hca/task/negotiate': { direction: 'both', publishers: ['answer', 'arbitrate'], consumer: 'route' },
  'hca/task/complete': { direction: 'up', publishers: ['compound', 'cancel', 'sweep'], consumer: 'route' },
  'hca/task/escalate': { direction: 'up', publishers: ['compound', 'sweep'], consumer: 'route' },
  'hca/task/cancel': { direction: 'down', publishers: ['arbitrate', 'cancel', 'sweep', 'acp'], consumer: 'route' },
  'hca/review/request': { direction: 'lateral', publishers: ['review'], consumer: 'route' },
  'hca/review/verdict': { direction: 'lateral', publishers: ['judge', 'sweep'], consumer: 'route' },
  'hca/knowledge/contribute': { direction: 'lateral', publishers: ['compound', 'judge', 'cancel'], consumer: 'learn' },
  'hca/knowledge/contribute.result': { direction: 'lateral', publishers: ['learn'], consumer: 'route' },
  'hca/knowledge/query': { direction: 'lateral', publishers: ['plan'], consumer: null },
} as const satisfies Record<string, MessageRow>;

export interface MessageRow {
  direction: 'down' | 'up' | 'both' | 'lateral';
  publishers: readonly string[];
  consumer: 'answer' | 'route' | 'learn' | null;
}
export type DetailType = keyof typeof MESSAGES;

const envelope = {
  jsonrpc: z.literal('2.0'),
  id: z.string().min(1).max(200),
  tenant: z.string(),
  from: z.string(),
  to: z.string(),
  task: z.string(),
  root_task: z.string(),
  hop: z.int().min(0).max(64),
  caused_by: z.string(),
  sent_at: z.int(),
  traceparent: z.string().regex(/^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$/),
};

/** A request as it travels: JSON-RPC 2.0 with our envelope. */
export type Request<M extends Method = Method> = Extract<Message, { method: M }>;
/** A response as it travels; its detail-type is the method + `.result`. */
export type Response<M extends ResultMethod = ResultMethod> = Extract<Message, { method: `${M}.result` }>;

const request = <M extends Method>(method: M) =>
  z.object({ ...envelope, method: z.literal(method), params: PARAMS[method] });
const response = <M extends ResultMethod>(method: M) =>
  z.object({ ...envelope, method: z.literal(`${method}.result`), result: RESULTS[method] });

/** Parses any message; the error names the field. */
export const Message = z.discriminatedUnion('method', [
  request('hca/task/delegate'),
  request('hca/task/negotiate'),
  request('hca/task/complete'),
  request('hca/task/escalate'),
  request('hca/task/cancel'),
  request('hca/review/request'),
  request('hca/review/verdict'),
  request('hca/knowledge/contribute'),
  request('hca/knowledge/query'),
  response('hca/task/delegate'),
  response('hca/knowledge/contribute'),
  response('hca/knowledge/query'),
]);
export type Message = z.infer<typeof Message>;

/** Narrowing by method, for steps. */
export const isRequest = <M extends Method>(message: Message, method: M): message is Extract<Message, { method: M }> =>
  message.method === method;
