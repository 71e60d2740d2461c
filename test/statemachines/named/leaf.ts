// The named paths that only a leaf or a review has: slices of work, work that gives up, and how a review is judged (L2-EVL).
import { LEAF } from './body.ts';
import { type NamedPath, says, throws, told } from './path.ts';

type Rest = Omit<NamedPath, 'machine' | 'fails'> & { fails?: string };
const leaf = (rest: Rest): NamedPath => ({ machine: 'leaf', fails: null, ...rest });

export const LEAF_PATHS: readonly NamedPath[] = [
  leaf({
    name: 'works in three slices',
    script: {
      ...LEAF.done(),
      work: [throws('HcaMore'), throws('HcaMore'), says('done')],
      review: [told],
      accept: [says('compound')],
      compound: [says('end')],
    },
    walk: 'Plan Work Review Accept Compound',
  }),
  leaf({
    name: 'the work gives up',
    script: { ...LEAF.done(), work: [throws('HcaUnsettled')], escalate: [says('compound')], compound: [says('end')] },
    walk: 'Plan Work Escalate Compound',
  }),
  leaf({
    name: 'every retry is spent',
    script: {
      ...LEAF.done(),
      work: Array.from({ length: 7 }, () => throws('HcaUnavailable')),
      escalate: [says('compound')],
      compound: [says('end')],
    },
    walk: 'Plan Work Escalate Compound',
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
