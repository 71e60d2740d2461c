// What a change may ask beside saving its record; every effect is idempotent by itself (architecture section 2, rule 1).
import * as z from 'zod';
import { Budget } from './budget.ts';
import { EntryBody } from './journal.ts';

/** A wait: (waiting task, child or review, offer). One item per offer number. */
export const WaitKey = z.object({ task: z.string(), on: z.string(), offer: z.int().min(0) });
export type WaitKey = z.infer<typeof WaitKey>;

/** An outcome as it lies on a wait: the word that a rule reads, and the message's content beside it. */
export const Outcome = z.object({ word: z.string(), by: z.string(), body: z.unknown() });
export type Outcome = z.infer<typeof Outcome>;

/** A wait as it is read back. `outcome` is written once; closing a wait is the same write. */
export const Wait = z.object({
  key: WaitKey,
  token: z.string().nullable(),
  fence: z.string(),
  agreed: z.boolean(),
  outcome: Outcome.nullable(),
  ended: z.boolean(),
});
export type Wait = z.infer<typeof Wait>;

/**
 * Effects, in the order a step gives them. `grant` is keyed and its refusal is final: the wait it names gets `no_budget`, later effects are left out and the
 * change's messages are not sent. `put` creates another record if it is absent. `await-ends` opens the wait on which a cancelled task waits for
 * every agreed child's end, and resolves it at once when none is left. `settle` ends a delegation whose iteration is over, with the completion that lies on its
 * wait and never changes: saved on the version that was read, with an entry of its own; one that somebody changed meanwhile is left alone.
 */
export const Effect = z.discriminatedUnion('do', [
  z.object({ do: z.literal('put'), record: z.record(z.string(), z.unknown()) }),
  z.object({ do: z.literal('open-ledger'), task: z.string(), budget: Budget }),
  z.object({
    do: z.literal('grant'),
    parent: z.string(),
    child: z.string(),
    key: z.string(),
    budget: Budget,
    refused: WaitKey,
  }),
  z.object({ do: z.literal('spend'), task: z.string(), key: z.string(), amount: Budget }),
  z.object({ do: z.literal('close-ledger'), task: z.string() }),
  z.object({ do: z.literal('mark'), record: z.string(), cause: z.string() }),
  z.object({ do: z.literal('outcome'), wait: WaitKey, outcome: Outcome }),
  z.object({ do: z.literal('await-ends'), task: z.string() }),
  z.object({
    do: z.literal('settle'),
    delegation: z.string(),
    version: z.int(),
    entry: EntryBody,
    caused_by: z.string(),
    at: z.int(),
  }),
]);
export type Effect = z.infer<typeof Effect>;

/** The wait on which a cancelled task waits for its children's ends. */
export const endsWait = (task: string): WaitKey => ({ task, on: '~ends', offer: 0 });
