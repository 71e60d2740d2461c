// The named paths that a leaf and a coordinator share: review, revise, accept, escalate, a new generation (L2-ITR, L2-ESC, L3-CMP).
import { BODIES, type Body } from './body.ts';
import { lapses, type NamedPath, replans, SOON, says, throws, told, unsettled } from './path.ts';

const END = { accept: [says('compound')], compound: [says('end')] };
const ESCALATED = { escalate: [says('compound')], ...END };

type Rest = Omit<NamedPath, 'machine' | 'fails'> & { fails?: string };

const pathsOf = ({ machine, done, walk, other }: Body): NamedPath[] => {
  const path = (rest: Rest): NamedPath => ({ machine, fails: null, ...rest, name: `a ${machine}: ${rest.name}` });
  const reviewed = `${walk} Review`;
  return [
    path({
      name: 'accepted at the first review',
      script: { ...done(), review: [told], ...END },
      walk: `${reviewed} Accept Compound`,
    }),
    path({
      name: 'revises twice, then is accepted',
      script: {
        ...done(3),
        review: [unsettled, unsettled, told],
        verdict: [says('revise'), says('revise')],
        revise: [says('plan'), says('plan')],
        ...END,
      },
      walk: `${reviewed} Verdict Outcome Revise ${reviewed} Verdict Outcome Revise ${reviewed} Accept Compound`,
    }),
    path({
      name: 'the verdict escalates',
      script: { ...done(), review: [unsettled], verdict: [says('escalate')], ...ESCALATED },
      walk: `${reviewed} Verdict Outcome Escalate Compound`,
    }),
    path({
      name: 'asks another evaluator, twice',
      script: { ...done(), review: [unsettled, unsettled, told], verdict: [says('review'), says('review')], ...END },
      walk: `${reviewed} Verdict Outcome Review Verdict Outcome Review Accept Compound`,
    }),
    path({
      name: 'a token was resolved by hand: there is no pass',
      script: {
        ...done(),
        review: [told, told],
        verdict: [says('review')],
        accept: [throws('HcaUnsettled'), says('compound')],
        compound: [says('end')],
      },
      walk: `${reviewed} Accept Verdict Outcome Review Accept Compound`,
    }),
    path({
      name: 'the review never answers',
      script: { ...done(1, SOON), review: [lapses], verdict: [says('escalate')], ...ESCALATED },
      walk: `${reviewed} Verdict Outcome Escalate Compound`,
    }),
    path({
      name: 'the review passed just in time after all',
      script: { ...done(1, SOON), review: [lapses], verdict: [says('accept')], ...END },
      walk: `${reviewed} Verdict Outcome Accept Compound`,
    }),
    path({
      name: 'the plan gives up',
      script: { plan: replans('escalate'), ...ESCALATED },
      walk: 'Plan Replan Planned Escalate Compound',
    }),
    path({
      name: 'a new generation goes on at the review',
      script: { plan: replans('review'), review: [told], ...END },
      walk: 'Plan Replan Planned Review Accept Compound',
    }),
    path({
      name: 'a new generation goes on at the lesson',
      script: { plan: replans('compound'), ...END },
      walk: 'Plan Replan Planned Compound',
    }),
    path({
      name: 'its holon has become one of the other kind',
      script: { plan: replans(other) },
      walk: 'Plan Replan Planned Elsewhere',
      fails: 'HcaOtherKind',
    }),
    path({
      name: 'the lesson fails, the task ends all the same',
      script: { plan: replans('compound'), compound: [throws('HcaInternal'), says('end')] },
      walk: 'Plan Replan Planned Compound Finish',
    }),
    path({
      name: 'the lesson fails and so does the end',
      script: { plan: replans('compound'), compound: [throws('HcaInternal'), throws('HcaCorrupt')] },
      walk: 'Plan Replan Planned Compound Finish',
      fails: 'HcaCorrupt',
    }),
    path({
      name: 'the escalation fails',
      script: { plan: replans('escalate'), escalate: [throws('HcaCorrupt')] },
      walk: 'Plan Replan Planned Escalate',
      fails: 'HcaCorrupt',
    }),
  ];
};

export const LOOP_PATHS: readonly NamedPath[] = BODIES.flatMap(pathsOf);
