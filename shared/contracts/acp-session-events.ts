// What an ACP session's own journal holds; what a task did stays in the journal of that task.
import * as z from 'zod';
import { SessionOptions, TurnCaller } from './acp-session.ts';
import { Budget } from './budget.ts';
import { Conflict } from './workspace.ts';

const turn = z.string();

/** A file of a change as an editor shows it: whole texts, where both are short text. */
export const ChangedFile = z.object({
  path: z.string(),
  change: z.enum(['added', 'modified', 'deleted']),
  added: z.int(),
  removed: z.int(),
});

/** What happened in a session beside its tasks; the data of its journal's notes. */
export const SessionEvent = z.discriminatedUnion('event', [
  z.object({ event: z.literal('opened') }),
  z.object({ event: z.literal('options'), options: SessionOptions }),
  z.object({ event: z.literal('prompt'), turn, caller: TurnCaller, text: z.string(), title: z.string().nullable() }),
  z.object({ event: z.literal('task'), turn, task: z.string(), continues: z.string().nullable() }),
  z.object({
    event: z.literal('said'),
    turn,
    text: z.string(),
    links: z.array(z.object({ id: z.string(), version: z.int(), media_type: z.string(), bytes: z.int() })).default([]),
  }),
  z.object({
    event: z.literal('clarified'),
    turn,
    question: z.string(),
    answer: z.object({ goal: z.string(), command: z.string().nullable() }).nullable(),
  }),
  z.object({
    event: z.literal('notice'),
    severity: z.enum(['info', 'warning', 'error']),
    title: z.string(),
    text: z.string(),
  }),
  z.object({
    event: z.literal('result'),
    turn,
    task: z.string(),
    outcome: z.string(),
    text: z.string(),
    spent: Budget,
    budget: Budget,
  }),
  z.object({
    event: z.literal('change'),
    turn,
    task: z.string(),
    root: z.string(),
    artifact: z.object({ id: z.string(), version: z.int() }),
    files: z.array(ChangedFile),
  }),
  z.object({
    event: z.literal('decided'),
    turn,
    task: z.string(),
    decision: z.enum(['once', 'always', 'refused', 'expired', 'cancelled']),
  }),
  z.object({
    event: z.literal('applied'),
    turn,
    task: z.string(),
    files: z.array(z.string()),
    conflicts: z.array(Conflict.omit({ sides: true })),
    by: z.enum(['host', 'editor']),
    left: z.array(Conflict.omit({ sides: true })).default([]),
    patch: z.object({ id: z.string(), version: z.int() }).nullable().default(null),
  }),
  z.object({
    event: z.literal('end'),
    turn,
    caller: TurnCaller,
    stop: z.enum(['end_turn', 'cancelled', 'refusal']).nullable(),
    error: z.object({ code: z.int(), message: z.string() }).nullable(),
  }),
]);
export type SessionEvent = z.infer<typeof SessionEvent>;
