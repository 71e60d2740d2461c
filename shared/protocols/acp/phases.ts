// The compound loop as an ACP plan: one list from one entry of the root's journal (L1-CMP; protocols 9.1).
import type * as acp from '@agentclientprotocol/sdk';
import type { Entry } from '#shared/contracts/journal.ts';

type Status = acp.PlanEntry['status'];

/** How far the first pass is: PLAN 0, WORK 1, REVIEW 2, the rounds after it 3, COMPOUND 4; 5 when it is over. */
const REACHED: Readonly<Record<string, number>> = {
  working: 1,
  delegating: 1,
  collecting: 1,
  waiting: 1,
  reviewing: 2,
  revising: 3,
  accepting: 4,
  escalating: 4,
  compounding: 4,
  completed: 5,
  escalated: 5,
};
const FIRST_PASS = ['PLAN', 'WORK', 'REVIEW'];
const STOPPED = new Set(['rejected', 'cancelled', 'cancelling']);

/** The whole plan as it stands with this entry. A task that was stopped shows only what it reached. */
export const planOf = ({ state, iteration }: Pick<Entry, 'state' | 'iteration'>): acp.PlanEntry[] => {
  const stopped = STOPPED.has(state);
  const rounds = Math.max(0, iteration - 1);
  const reached = reachedOf(state, rounds);
  const first = FIRST_PASS.map((content, at) => entry(content, 'high', statusOf(at, reached)));
  const revisions = Array.from({ length: rounds }, (_, n) =>
    entry(`REVISE ${n + 1}`, 'medium', n + 1 < rounds ? 'completed' : statusOf(3, reached)),
  );
  const all = [...first, ...revisions, entry('COMPOUND', 'medium', statusOf(4, reached))];
  return stopped
    ? all.filter(({ status }) => status !== 'pending').map((one) => ({ ...one, status: 'completed' }))
    : all;
};

/** From the second iteration on planning, working and reviewing are all part of one REVISE. */
const reachedOf = (state: string, rounds: number): number => {
  const reached = REACHED[state] ?? 0;
  return rounds > 0 && reached < 3 ? 3 : reached;
};

const statusOf = (at: number, reached: number): Status => {
  if (at < reached) return 'completed';
  return at === reached ? 'in_progress' : 'pending';
};

const entry = (content: string, priority: acp.PlanEntry['priority'], status: Status): acp.PlanEntry => ({
  content,
  priority,
  status,
});
