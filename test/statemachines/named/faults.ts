// The named paths of cancels, faults and retries, from every state that can meet one: made from the way that leads there.
import type { FaultCode } from '#shared/contracts/errors.ts';
import { BODIES, type Body, COORDINATOR, LEAF } from './body.ts';
import { type Move, type NamedPath, plans, replans, SOON, says, throws, told, unsettled } from './path.ts';

interface Way {
  machine: Body['machine'];
  /** The state that meets it, and the step it calls. */
  state: string;
  step: string;
  script: NamedPath['script'];
  /** Moves of the same step in a state before it. */
  before?: Move[];
  walk: string;
}

const ENDED = { escalate: [says('compound')], compound: [says('end')] };

/** Ways that both machines have, up to the acceptance. */
const shared = ({ machine, done, walk }: Body): Way[] => {
  const body = done(1, SOON);
  const outcome = { ...body, review: [unsettled] };
  return [
    { machine, state: 'Plan', step: 'plan', script: {}, walk: '' },
    { machine, state: 'Replan', step: 'plan', script: {}, before: [throws('HcaUnsettled')], walk: 'Plan' },
    { machine, state: 'Review', step: 'review', script: body, walk },
    { machine, state: 'Verdict', step: 'verdict', script: outcome, walk: `${walk} Review` },
    {
      machine,
      state: 'Revise',
      step: 'revise',
      script: { ...outcome, verdict: [says('revise')] },
      walk: `${walk} Review Verdict Outcome`,
    },
    { machine, state: 'Accept', step: 'accept', script: { ...body, review: [told] }, walk: `${walk} Review` },
  ];
};

const WORK: Way = { machine: 'leaf', state: 'Work', step: 'work', script: { plan: [plans('leaf')] }, walk: 'Plan' };

const WAVE = { plan: [plans('coordinator', { wave: ['child-1'], deadline: SOON })] };
const EMPTY = { plan: [plans('coordinator')] };
const DELEGATE: Way = { machine: 'coordinator', state: 'Wave', step: 'delegate', script: WAVE, walk: 'Plan' };
const LOST = { ...WAVE, delegate: [unsettled] };
const COLLECT: Way = { machine: 'coordinator', state: 'Collect', step: 'collect', script: EMPTY, walk: 'Plan Wave' };

const CHILDREN: readonly Way[] = [
  DELEGATE,
  { ...DELEGATE, step: 'settle', script: LOST },
  { ...DELEGATE, step: 'arbitrate', script: { ...LOST, settle: [says('arbitrate')] } },
  COLLECT,
  { ...COLLECT, state: 'Regroup', before: [throws('HcaUnsettled')], walk: 'Plan Wave Collect' },
  {
    ...COLLECT,
    state: 'Resolve',
    step: 'arbitrate',
    script: { ...EMPTY, collect: [throws('HcaUnsettled'), says('conflict', { wave: [] })] },
    walk: 'Plan Wave Collect Regroup Collected',
  },
];

const BEFORE_THE_END: readonly Way[] = [...BODIES.flatMap(shared), WORK, ...CHILDREN];

const escalating = ({ machine }: Body): Way => ({
  machine,
  state: 'Escalate',
  step: 'escalate',
  script: { plan: replans('escalate') },
  walk: 'Plan Replan Planned',
});

const walked = (...states: string[]): string => states.filter((state) => state !== '').join(' ');

const meets = (way: Pick<Way, 'script' | 'step' | 'before'>, fault: FaultCode): NamedPath['script'] => ({
  ...way.script,
  [way.step]: [...(way.before ?? []), throws(fault)],
});

const nameOf = ({ machine, state, step }: Way): string =>
  `${state}${state === 'Wave' ? ` (${step})` : ''} of a ${machine}`;

const cancelled = (way: Way): NamedPath => ({
  name: `${nameOf(way)} finds a cancel`,
  machine: way.machine,
  script: { ...meets(way, 'HcaCancelled'), cancel: [told, says('cancelled')] },
  walk: walked(way.walk, way.state, 'Cancel', 'Cancelled'),
  fails: null,
});

const faulty = (way: Way): NamedPath => ({
  name: `${nameOf(way)} meets a fault`,
  machine: way.machine,
  script: { ...meets(way, 'HcaSandbox'), ...ENDED },
  walk: walked(way.walk, way.state, 'Escalate', 'Compound'),
  fails: null,
});

const MARKED = { plan: [throws('HcaCancelled')] };

/** The ends of a cancel, and retries within their limit. */
const others = ({ machine, done, walk }: Body): NamedPath[] => [
  {
    name: `the wait of a cancel of a ${machine} fails`,
    machine,
    script: { ...MARKED, cancel: [{ output: { word: 'waiting' }, wait: 'HcaCancelFailed' }, says('cancelled')] },
    walk: 'Plan Cancel Cancelled',
    fails: null,
  },
  {
    name: `the end of a cancel of a ${machine} fails`,
    machine,
    script: { ...MARKED, cancel: [told, throws('HcaCorrupt')] },
    walk: 'Plan Cancel Cancelled',
    fails: 'HcaCorrupt',
  },
  {
    name: `the wait of a review of a ${machine} fails`,
    machine,
    script: { ...done(), review: [{ output: { word: 'waiting' }, wait: 'HcaSandbox' }], ...ENDED },
    walk: `${walk} Review Escalate Compound`,
    fails: null,
  },
];

const RETRIED: readonly NamedPath[] = [
  {
    name: 'three kinds of retryable fault, then well',
    machine: 'leaf',
    script: {
      plan: [throws('HcaConflict'), throws('HcaUnavailable'), throws('HcaThrottled'), ...replans('compound')],
      compound: [says('end')],
    },
    walk: 'Plan Replan Planned Compound',
    fails: null,
  },
  {
    name: 'a review asks at the second attempt',
    machine: 'leaf',
    script: {
      ...LEAF.done(1, SOON),
      review: [throws('HcaConflict'), unsettled],
      verdict: [says('escalate')],
      ...ENDED,
    },
    walk: `${LEAF.walk} Review Verdict Outcome Escalate Compound`,
    fails: null,
  },
];

export const FAULT_PATHS: readonly NamedPath[] = [
  ...[...BEFORE_THE_END, escalating(LEAF), escalating(COORDINATOR)].map(cancelled),
  ...BEFORE_THE_END.map(faulty),
  ...BODIES.flatMap(others),
  ...RETRIED,
];
