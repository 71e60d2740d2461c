// The named paths of cancels, faults and retries, from every state that can meet one: made from the way that leads there.
import type { FaultCode } from '#shared/contracts/errors.ts';
import { type Move, type NamedPath, plans, SOON, says, throws, told, unsettled } from './path.ts';

interface Way {
  /** The state that meets it, and the step it calls. */
  state: string;
  step: string;
  script: NamedPath['script'];
  /** Moves of the same step in a state before it. */
  before?: Move[];
  walk: string;
}

const LEAF = { plan: [plans('leaf', { deadline: SOON })], work: [says('done')] };
const UNSETTLED = { ...LEAF, review: [unsettled] };
const PASSED = { ...LEAF, review: [told] };
const WAVE = { plan: [plans('coordinator', { wave: ['child-1'], deadline: SOON })] };
const EMPTY = { plan: [plans('coordinator')] };
const TO_REVIEW = 'Plan Kind Work';
const TO_OUTCOME = `${TO_REVIEW} Review Verdict Outcome`;

const PLAN: Way = { state: 'Plan', step: 'plan', script: {}, walk: '' };
const WORK: Way = { state: 'Work', step: 'work', script: LEAF, walk: 'Plan Kind' };
const DELEGATE: Way = { state: 'Wave', step: 'delegate', script: WAVE, walk: 'Plan Kind' };
const SETTLE: Way = { ...DELEGATE, step: 'settle', script: { ...WAVE, delegate: [told] } };
const REVIEW: Way = { state: 'Review', step: 'review', script: LEAF, walk: TO_REVIEW };
const ARBITRATE: Way = {
  ...SETTLE,
  step: 'arbitrate',
  script: { ...WAVE, delegate: [unsettled], settle: [says('arbitrate')] },
};
const COLLECT: Way = {
  state: 'Collect',
  step: 'collect',
  script: EMPTY,
  walk: 'Plan Kind Wave',
};
const REGROUP: Way = {
  state: 'Regroup',
  step: 'collect',
  script: EMPTY,
  before: [throws('HcaUnsettled')],
  walk: 'Plan Kind Wave Collect',
};
const RESOLVE: Way = {
  state: 'Resolve',
  step: 'arbitrate',
  script: { ...EMPTY, collect: [throws('HcaUnsettled'), says('conflict', { wave: [] })] },
  walk: 'Plan Kind Wave Collect Regroup Collected',
};
const VERDICT: Way = {
  state: 'Verdict',
  step: 'verdict',
  script: UNSETTLED,
  walk: `${TO_REVIEW} Review`,
};
const REVISE: Way = {
  state: 'Revise',
  step: 'revise',
  script: { ...UNSETTLED, verdict: [says('revise')] },
  walk: TO_OUTCOME,
};
const ACCEPT: Way = { state: 'Accept', step: 'accept', script: PASSED, walk: `${TO_REVIEW} Review` };
const ESCALATE: Way = {
  state: 'Escalate',
  step: 'escalate',
  script: { plan: [plans('escalate')] },
  walk: 'Plan Kind',
};

const BEFORE_THE_END = [
  PLAN,
  WORK,
  DELEGATE,
  SETTLE,
  ARBITRATE,
  COLLECT,
  REGROUP,
  RESOLVE,
  REVIEW,
  VERDICT,
  REVISE,
  ACCEPT,
];

const walked = (...states: string[]): string => states.filter((state) => state !== '').join(' ');

const meets = (way: Way, fault: FaultCode): NamedPath['script'] => ({
  ...way.script,
  [way.step]: [...(way.before ?? []), throws(fault)],
});

const cancelled = (way: Way): NamedPath => ({
  name: `${way.state}${way.state === 'Wave' ? ` (${way.step})` : ''} finds a cancel`,
  machine: 'task',
  script: { ...meets(way, 'HcaCancelled'), cancel: [told, says('cancelled')] },
  walk: walked(way.walk, way.state, 'Cancel', 'Cancelled'),
  fails: null,
});

const faulty = (way: Way): NamedPath => ({
  name: `${way.state}${way.state === 'Wave' ? ` (${way.step})` : ''} meets a fault`,
  machine: 'task',
  script: { ...meets(way, 'HcaSandbox'), escalate: [says('compound')], compound: [says('end')] },
  walk: walked(way.walk, way.state, 'Escalate', 'Compound'),
  fails: null,
});

/** The ends of a cancel, and retries of each kind: within the limit, past it. */
const OTHERS: readonly NamedPath[] = [
  {
    name: 'the wait of a cancel fails',
    machine: 'task',
    script: {
      ...meets(PLAN, 'HcaCancelled'),
      cancel: [{ output: { word: 'waiting' }, wait: 'HcaCancelFailed' }, says('cancelled')],
    },
    walk: 'Plan Cancel Cancelled',
    fails: null,
  },
  {
    name: 'the end of a cancel fails',
    machine: 'task',
    script: { ...meets(PLAN, 'HcaCancelled'), cancel: [told, throws('HcaCorrupt')] },
    walk: 'Plan Cancel Cancelled',
    fails: 'HcaCorrupt',
  },
  {
    name: 'the wait of a review fails',
    machine: 'task',
    script: {
      ...LEAF,
      review: [{ output: { word: 'waiting' }, wait: 'HcaSandbox' }],
      escalate: [says('compound')],
      compound: [says('end')],
    },
    walk: `${TO_REVIEW} Review Escalate Compound`,
    fails: null,
  },
  {
    name: 'three kinds of retryable fault, then well',
    machine: 'task',
    script: {
      plan: [throws('HcaConflict'), throws('HcaUnavailable'), throws('HcaThrottled'), plans('compound')],
      compound: [says('end')],
    },
    walk: 'Plan Kind Compound',
    fails: null,
  },
  {
    name: 'every retry is spent',
    machine: 'task',
    script: {
      plan: [plans('leaf')],
      work: Array.from({ length: 7 }, () => throws('HcaUnavailable')),
      escalate: [says('compound')],
      compound: [says('end')],
    },
    walk: 'Plan Kind Work Escalate Compound',
    fails: null,
  },
  {
    name: 'a review asks at the second attempt',
    machine: 'task',
    script: {
      ...meets(REVIEW, 'HcaConflict'),
      review: [throws('HcaConflict'), unsettled],
      verdict: [says('escalate')],
      escalate: [says('compound')],
      compound: [says('end')],
    },
    walk: `${TO_REVIEW} Review Verdict Outcome Escalate Compound`,
    fails: null,
  },
];

export const FAULT_PATHS: readonly NamedPath[] = [
  ...[...BEFORE_THE_END, ESCALATE].map(cancelled),
  ...BEFORE_THE_END.map(faulty),
  ...OTHERS,
];
