// The named paths of a coordinator: waves of children, arbitration, conflicts (L1-DEL, L2-NEG).
import { lapses, type NamedPath, plans, SOON, says, throws, told, unsettled } from './path.ts';

const REVIEWED = {
  review: [told],
  accept: [says('compound')],
  compound: [says('end')],
};
const GIVEN_UP = { escalate: [says('compound')], compound: [says('end')] };
/** A child that did not complete is given up, and so is its parent. */
const LOST = {
  settle: [says('arbitrate')],
  arbitrate: [says('done', { wave: [] })],
  collect: [throws('HcaUnsettled'), says('escalate', { wave: [] })],
  ...GIVEN_UP,
};
const TO_COLLECT = 'Plan Wave Collect';
const ACCEPTED = 'Review Accept Compound';

const task = (rest: Omit<NamedPath, 'machine' | 'fails'>): NamedPath => ({
  machine: 'coordinator',
  fails: null,
  ...rest,
});

const children = (count: number): string[] => Array.from({ length: count }, (_, index) => `child-${index + 1}`);

export const COORDINATOR_PATHS: readonly NamedPath[] = [
  task({
    name: 'one child',
    script: {
      plan: [plans('coordinator', { wave: ['child-1'] })],
      delegate: [told],
      collect: [says('review', { wave: [] })],
      ...REVIEWED,
    },
    walk: `${TO_COLLECT} ${ACCEPTED}`,
  }),
  task({
    name: 'twelve children at once',
    script: {
      plan: [plans('coordinator', { wave: children(12) })],
      delegate: Array.from({ length: 12 }, () => told),
      collect: [says('review', { wave: [] })],
      ...REVIEWED,
    },
    walk: `${TO_COLLECT} ${ACCEPTED}`,
  }),
  task({
    name: 'two waves, the second of one child',
    script: {
      plan: [plans('coordinator', { wave: ['child-1', 'child-2'] })],
      delegate: [told, told, told],
      collect: [throws('HcaUnsettled'), says('wave', { wave: ['child-3'] }), says('review', { wave: [] })],
      ...REVIEWED,
    },
    walk: `${TO_COLLECT} Regroup Collected Wave Collect ${ACCEPTED}`,
  }),
  task({
    name: 'one of two children is offered again, after arbitration',
    script: {
      plan: [plans('coordinator', { wave: ['child-1', 'child-2'] })],
      'delegate child-1': [told],
      'delegate child-2': [unsettled, told],
      'settle child-2': [says('arbitrate')],
      'arbitrate child-2': [says('again', { wave: [] })],
      collect: [says('review', { wave: [] })],
      ...REVIEWED,
    },
    walk: `${TO_COLLECT} ${ACCEPTED}`,
  }),
  task({
    name: 'a child is given up',
    script: {
      plan: [plans('coordinator', { wave: ['child-1'] })],
      delegate: [unsettled],
      ...LOST,
    },
    walk: `${TO_COLLECT} Regroup Collected Escalate Compound`,
  }),
  task({
    name: 'a child never answers',
    script: {
      plan: [plans('coordinator', { wave: ['child-1'], deadline: SOON })],
      delegate: [lapses],
      ...LOST,
    },
    walk: `${TO_COLLECT} Regroup Collected Escalate Compound`,
  }),
  task({
    name: 'a child completed just in time after all',
    script: {
      plan: [plans('coordinator', { wave: ['child-1'], deadline: SOON })],
      delegate: [lapses],
      settle: [says('done')],
      collect: [throws('HcaUnsettled'), says('escalate', { wave: [] })],
      ...GIVEN_UP,
    },
    walk: `${TO_COLLECT} Regroup Collected Escalate Compound`,
  }),
  task({
    name: 'two results conflict, one is done again on top of the other',
    script: {
      plan: [plans('coordinator', { wave: ['child-1', 'child-2'] })],
      delegate: [told, told, told],
      collect: [throws('HcaUnsettled'), says('conflict', { wave: [] }), says('review', { wave: [] })],
      arbitrate: [says('wave', { wave: ['child-3'] })],
      ...REVIEWED,
    },
    walk: `${TO_COLLECT} Regroup Collected Resolve Resolved Wave Collect ${ACCEPTED}`,
  }),
  task({
    name: 'a conflict that nobody can resolve',
    script: {
      plan: [plans('coordinator')],
      collect: [throws('HcaUnsettled'), says('conflict', { wave: [] })],
      arbitrate: [says('escalate', { wave: [] })],
      ...GIVEN_UP,
    },
    walk: `${TO_COLLECT} Regroup Collected Resolve Resolved Escalate Compound`,
  }),
  task({
    name: 'a token was resolved by hand: the child is waited for again',
    script: {
      plan: [plans('coordinator', { wave: ['child-1'] })],
      delegate: [told, told],
      collect: [throws('HcaUnsettled'), says('wave', { wave: ['child-1'] }), says('review', { wave: [] })],
      ...REVIEWED,
    },
    walk: `${TO_COLLECT} Regroup Collected Wave Collect ${ACCEPTED}`,
  }),
  task({
    name: 'a wave of nobody',
    script: { plan: [plans('coordinator')], collect: [says('review', { wave: [] })], ...REVIEWED },
    walk: `${TO_COLLECT} ${ACCEPTED}`,
  }),
  task({
    name: 'a child of a wave settles at the second attempt',
    script: {
      plan: [plans('coordinator', { wave: ['child-1'] })],
      delegate: [unsettled],
      ...LOST,
      settle: [throws('HcaConflict'), says('arbitrate')],
    },
    walk: `${TO_COLLECT} Regroup Collected Escalate Compound`,
  }),
];
