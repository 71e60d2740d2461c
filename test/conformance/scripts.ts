// The scripted tests: the steps of the two level tests and the scenarios, as plain data. Each passes only when every step does.

/** A scripted test: the level it belongs to, and what happens, step by step. */
export interface Script {
  level: 1 | 2 | 3;
  title: string;
  steps: readonly string[];
  /** Steps that do not hold yet, counted from 1, with the reason: they run as expected failures. */
  notYet?: Readonly<Record<number, string>>;
}

export const SCRIPTS = {
  'basic-holonic-flow': {
    level: 1,
    title: 'Basic Holonic Flow',
    steps: [
      'a root is made',
      'a domain is made below the root',
      'a leaf is made below the domain',
      'a goal is submitted to the root',
      'the root delegates to the domain',
      'the domain delegates to the leaf',
      'the leaf makes an artifact with id, version and metadata',
      'another holon tells a verdict on it',
      'the root has the result',
    ],
  },
  'complete-compound-loop': {
    level: 2,
    title: 'Complete Compound Loop',
    steps: [
      'a task is delegated with a retry budget of 3',
      'PLAN: goal, criteria, allocation',
      'WORK: tools are called, an artifact is made',
      'REVIEW by another holon',
      'the first failed review leads to iteration 2',
      'the second failed review leads to iteration 3',
      'the third failed review leads to an escalation',
      'the escalation has attempts, reason and evidence',
      'a child rejects an offer, with a reason',
      'a child makes a counter-offer, and the parent answers it',
    ],
  },
  'happy-path': {
    level: 2,
    title: 'Happy path',
    steps: ['accepted at the first attempt, and the change is in the folder once it is applied'],
  },
  'revision-with-feedback': {
    level: 2,
    title: 'Revision with feedback',
    steps: ['what was unmet is the feedback of the next plan, until the review passes'],
  },
  'escalation-with-evidence': {
    level: 2,
    title: 'Escalation with evidence',
    steps: ['what went up to the root has evidence that the door hands out', 'a successor goes on from there'],
  },
  'negotiation-to-a-resolution': {
    level: 2,
    title: 'Negotiation to a resolution',
    steps: ['a counter-offer is granted and the task is done', 'a rejected task is done by another holon'],
  },
  'compound-learning-system': {
    level: 3,
    title: 'Compound Learning System',
    steps: [
      'task A, about authentication, is accepted',
      'COMPOUND follows and makes a lesson',
      'the lesson is well-formed: id, type, task, tags',
      'it is contributed and acknowledged',
      'task B, alike, asks with the tags of authentication',
      'it gets the lesson of task A',
      'its plan names that lesson',
      'its own lesson is stored',
      'task C fails and is escalated',
      'it leaves an antipattern',
      'any holon can ask for these lessons',
      'after a restart every lesson is still there',
    ],
  },
  'learning-with-measured-improvement': {
    level: 3,
    title: 'Learning with measured improvement',
    steps: ['the second task of a family needs fewer attempts and calls than the first'],
  },
} as const satisfies Record<string, Script>;
export type ScriptName = keyof typeof SCRIPTS;

/** Any of them, by name. @throws Error when there is none of that name */
export const scriptOf = (name: ScriptName): Script => {
  if (!Object.hasOwn(SCRIPTS, name)) throw new Error(`${name} is no script`);
  return SCRIPTS[name];
};
