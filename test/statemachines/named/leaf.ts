// The named paths of a leaf: work, review, revise, accept, escalate (L2-ITR, L2-ESC, L3-CMP).
import { lapses, type NamedPath, plans, SOON, says, throws, told, unsettled } from './path.ts';

const DONE = { plan: [plans('leaf')], work: [says('done')] };
const TO_REVIEW = 'Plan Kind Work Review';
const END = { accept: [says('compound')], compound: [says('end')] };

type Rest = Omit<NamedPath, 'machine' | 'fails'> & { fails?: string };
const task = (rest: Rest): NamedPath => ({ machine: 'task', fails: null, ...rest });

export const LEAF_PATHS: readonly NamedPath[] = [
  task({
    name: 'accepted at the first review',
    script: { ...DONE, review: [told], ...END },
    walk: `${TO_REVIEW} Accept Compound`,
  }),
  task({
    name: 'works in three slices',
    script: {
      ...DONE,
      work: [throws('HcaMore'), throws('HcaMore'), says('done')],
      review: [told],
      ...END,
    },
    walk: 'Plan Kind Work Review Accept Compound',
  }),
  task({
    name: 'revises twice, then is accepted',
    script: {
      plan: [plans('leaf'), plans('leaf'), plans('leaf')],
      work: [says('done'), says('done'), says('done')],
      review: [unsettled, unsettled, told],
      verdict: [says('revise'), says('revise')],
      revise: [says('plan'), says('plan')],
      ...END,
    },
    walk: `${TO_REVIEW} Verdict Outcome Revise ${TO_REVIEW} Verdict Outcome Revise ${TO_REVIEW} Accept Compound`,
  }),
  task({
    name: 'the verdict escalates',
    script: { ...DONE, review: [unsettled], verdict: [says('escalate')], escalate: [says('compound')], ...END },
    walk: `${TO_REVIEW} Verdict Outcome Escalate Compound`,
  }),
  task({
    name: 'asks another evaluator, twice',
    script: { ...DONE, review: [unsettled, unsettled, told], verdict: [says('review'), says('review')], ...END },
    walk: `${TO_REVIEW} Verdict Outcome Review Verdict Outcome Review Accept Compound`,
  }),
  task({
    name: 'a token was resolved by hand: there is no pass',
    script: {
      ...DONE,
      review: [told, told],
      verdict: [says('review')],
      accept: [throws('HcaUnsettled'), says('compound')],
      compound: [says('end')],
    },
    walk: `${TO_REVIEW} Accept Verdict Outcome Review Accept Compound`,
  }),
  task({
    name: 'the review never answers',
    script: {
      ...DONE,
      plan: [plans('leaf', { deadline: SOON })],
      review: [lapses],
      verdict: [says('escalate')],
      escalate: [says('compound')],
      ...END,
    },
    walk: `${TO_REVIEW} Verdict Outcome Escalate Compound`,
  }),
  task({
    name: 'the review passed just in time after all',
    script: {
      ...DONE,
      plan: [plans('leaf', { deadline: SOON })],
      review: [lapses],
      verdict: [says('accept')],
      ...END,
    },
    walk: `${TO_REVIEW} Verdict Outcome Accept Compound`,
  }),
  task({
    name: 'the work gives up',
    script: { ...DONE, work: [throws('HcaUnsettled')], escalate: [says('compound')], ...END },
    walk: 'Plan Kind Work Escalate Compound',
  }),
  task({
    name: 'the plan gives up',
    script: { plan: [plans('escalate')], escalate: [says('compound')], ...END },
    walk: 'Plan Kind Escalate Compound',
  }),
  task({
    name: 'a new generation goes on at the review',
    script: { plan: [plans('review')], review: [told], ...END },
    walk: 'Plan Kind Review Accept Compound',
  }),
  task({
    name: 'a new generation goes on at the lesson',
    script: { plan: [plans('compound')], ...END },
    walk: 'Plan Kind Compound',
  }),
  task({
    name: 'the lesson fails, the task ends all the same',
    script: { plan: [plans('compound')], compound: [throws('HcaInternal'), says('end')] },
    walk: 'Plan Kind Compound Finish',
  }),
  task({
    name: 'the lesson fails and so does the end',
    script: { plan: [plans('compound')], compound: [throws('HcaInternal'), throws('HcaCorrupt')] },
    walk: 'Plan Kind Compound Finish',
    fails: 'HcaCorrupt',
  }),
  task({
    name: 'the escalation fails',
    script: { plan: [plans('escalate')], escalate: [throws('HcaCorrupt')] },
    walk: 'Plan Kind Escalate',
    fails: 'HcaCorrupt',
  }),
];

const review = (rest: Rest): NamedPath => ({ machine: 'review', fails: null, ...rest });

export const REVIEW_PATHS: readonly NamedPath[] = [
  review({ name: 'judges', script: { judge: [says('told')] }, walk: 'Judge' }),
  review({
    name: 'judges at the third attempt',
    script: { judge: [throws('HcaUnavailable'), throws('HcaThrottled'), says('told')] },
    walk: 'Judge',
  }),
  review({
    name: 'cannot judge and says so',
    script: { judge: [throws('HcaSandbox'), says('told')] },
    walk: 'Judge Unable',
  }),
  review({
    name: 'cannot even say that it cannot judge',
    script: { judge: [throws('HcaSandbox'), throws('HcaCorrupt')] },
    walk: 'Judge Unable',
    fails: 'HcaCorrupt',
  }),
];
