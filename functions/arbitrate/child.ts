// One child that rejected, countered, escalated, was lost or ran out of time: close the wait, decide, and say so.

import type { Budget } from '#shared/contracts/budget.ts';
import { completionOf } from '#shared/contracts/completion.ts';
import type { Effect, Outcome, WaitKey } from '#shared/contracts/effects.ts';
import type { Escalation } from '#shared/contracts/escalation.ts';
import { PARAMS } from '#shared/contracts/messages.ts';
import type { CounterReply } from '#shared/contracts/offer.ts';
import type { DelegationRecord, Tried } from '#shared/contracts/task.ts';
import { type Decision, arbitrate as rule } from '#shared/domain/arbitration.ts';
import { minus, ZERO } from '#shared/domain/budget.ts';
import { familiesOf } from '#shared/domain/holarchy.ts';
import { restOf } from '#shared/domain/ledger.ts';
import { moveDelegation } from '#shared/domain/lifecycle.ts';
import type { StepPorts } from '#shared/ports/index.ts';
import type { Change, Say } from '../step.ts';

export const arbitrateChild = async (
  record: DelegationRecord,
  ports: StepPorts<'arbitrate'>,
): Promise<Change<'arbitrate'>> => {
  const key: WaitKey = { task: record.task, on: record.child, offer: record.offer };
  const wait = await ports.waits.outcome(record.tenant, key, { word: 'closed', by: record.id, body: null });
  const outcome = readOutcome(wait.outcome);
  const ledger = await ports.ledger.read(record.tenant, record.task);
  const rest = ledger === undefined ? ZERO : restOf(ledger);
  const decision = rule({
    delegation: record,
    outcome: { ...outcome, escalation: await weighed(record, outcome, ports) },
    rest,
    ...(await siblingsOf(record, ports)),
    attemptsLeft: rest.attempts,
  });
  const taken: DelegationRecord = { ...record, ...completionOf(wait.outcome) };
  return decided({ record: taken, outcome, decision }, ports.clock.now());
};

/**
 * What the child spent is certain only when its ledger is closed, which every decision but a new offer does anyway: else a child that was lost
 * counts as unspent, and the grant to the one that takes over is refused for good.
 */
const weighed = async (record: DelegationRecord, outcome: ChildOutcome, ports: StepPorts<'arbitrate'>) => {
  if (outcome.word === 'counter' || outcome.word === 'completed') return outcome.escalation;
  await ports.ledger.close(record.tenant, record.child);
  const child = await ports.ledger.read(record.tenant, record.child);
  const spent = child === undefined ? ZERO : minus(child.granted, child.returned);
  return { reason: 'lost' as const, signature: outcome.word, ...outcome.escalation, spent };
};

/** What lies on the wait, as far as the rule reads it. */
export interface ChildOutcome {
  word: string;
  asked: Budget | null;
  escalation: Escalation | null;
  detail: string;
}

const readOutcome = (outcome: Outcome | null): ChildOutcome => {
  const word = outcome?.word ?? 'closed';
  if (word === 'counter' || word === 'reject') return readAnswer(word, outcome?.body);
  if (word !== 'escalate') return { word, asked: null, escalation: null, detail: word };
  const { escalation } = PARAMS['hca/task/escalate'].parse(outcome?.body);
  return { word, asked: null, escalation, detail: `${escalation.reason}: ${escalation.detail}` };
};

const readAnswer = (word: string, body: unknown): ChildOutcome => {
  const { say } = PARAMS['hca/task/negotiate'].parse(body);
  const none = { word, asked: null, escalation: null, detail: word };
  if (!('answer' in say) || say.answer === 'accept') return none;
  if (say.answer === 'counter') return { ...none, asked: say.budget, detail: say.detail };
  return { ...none, detail: `${say.reason}: ${say.detail}` };
};

/** Ready holons below the parent that could do it too and were not tried, with the harness that makes them different or not. */
const siblingsOf = async (record: DelegationRecord, ports: StepPorts<'arbitrate'>) => {
  const cards = await ports.holons.all(record.tenant);
  const tried = new Set([record.to, ...record.tried.map(({ holon }) => holon)]);
  const siblings = cards
    .filter((card) => card.parent === record.holon && card.state === 'ready' && !tried.has(card.id))
    .filter((card) => isAble(familiesOf(cards, card.id), record))
    .map(({ id, harness }) => ({ id, harness }));
  return { siblings, harness: cards.find(({ id }) => id === record.to)?.harness ?? null };
};

const isAble = (families: readonly string[], { plan }: DelegationRecord): boolean =>
  plan.family === null || families.includes(plan.family);

interface Decided {
  record: DelegationRecord;
  outcome: ChildOutcome;
  decision: Decision;
}

const decided = (deed: Decided, now: number): Change<'arbitrate'> => {
  const { record, decision, outcome } = deed;
  const again = decision.do === 'reoffer' || decision.do === 'reassign' || decision.do === 'grant';
  const why = 'why' in decision ? decision.why : decision.do;
  return {
    record: next(deed, now),
    also: decision.do === 'reoffer' ? [] : closing(record),
    entry: {
      text: `${outcome.word} of ${record.to}: ${decision.do}: ${why}`.slice(0, 2000),
      data: { child: record.child, word: outcome.word, detail: outcome.detail, decision },
    },
    tell: [...reply(deed), ...stop(deed)],
    output: { word: again ? 'again' : 'done', wave: [] },
  };
};

const next = ({ record, decision, outcome }: Decided, now: number): DelegationRecord => {
  const arbitrating = moveDelegation(record.state, 'arbitrating');
  const tried = [...record.tried, triedOf(record, outcome)].slice(-16);
  const base = { ...record, tried, state: arbitrating, escalation: outcome.escalation ?? record.escalation };
  switch (decision.do) {
    case 'reoffer':
      return { ...base, offer: record.offer + 1, constraints: { ...record.constraints, budget: decision.budget } };
    case 'reassign':
      return {
        ...base,
        n: record.n + 1,
        offer: 1,
        to: decision.to,
        constraints: { ...record.constraints, budget: decision.budget },
      };
    case 'grant':
      return {
        ...base,
        ...continued(record, outcome),
        n: record.n + 1,
        offer: 1,
        constraints: { ...record.constraints, budget: decision.budget },
      };
    default:
      return { ...base, state: moveDelegation(arbitrating, decision.do === 'done' ? 'done' : 'failed'), ended_at: now };
  }
};

/** A grant carries on from the usable artifact of the child that ran out. */
const continued = (record: DelegationRecord, { escalation }: ChildOutcome) => ({
  spec: { ...record.spec, start_from: escalation?.artifact ?? record.spec.start_from },
});

const triedOf = (record: DelegationRecord, outcome: ChildOutcome): Tried => ({
  child: record.child,
  holon: record.to,
  offer: record.offer,
  outcome: outcome.word,
  signature: outcome.escalation?.signature ?? outcome.word,
  budget_asked: outcome.asked !== null,
  detail: outcome.detail.slice(0, 500),
});

/** Closing the child's ledger returns what is certainly unspent (trace V12). */
const closing = (record: DelegationRecord): Effect[] => [{ do: 'close-ledger', task: record.child }];

/** The parent answers every counter (L2-NEG-04). */
const reply = ({ record, outcome, decision }: Decided): Say[] => {
  if (outcome.word !== 'counter') return [];
  const params = {
    offer: record.offer,
    parent: record.task,
    say: { reply: { answer: answerOf(decision), detail: outcome.detail.slice(0, 2000) } },
  };
  return [{ method: 'hca/task/negotiate', to: record.to, task: record.child, params }];
};

const answerOf = (decision: Decision): CounterReply['answer'] => {
  if (decision.do === 'reoffer') return 'accept';
  return decision.do === 'reassign' ? 'reassign' : 'reject';
};

/** Giving a child up marks it, whatever it is doing: a late accept must not start an orphan (trace V9). */
const stop = ({ record, decision }: Decided): Say[] => {
  if (decision.do === 'reoffer' || decision.do === 'done') return [];
  const params = { cause: `given up by ${record.holon}: ${decision.do}` };
  return [{ method: 'hca/task/cancel', to: record.to, task: record.child, params }];
};
