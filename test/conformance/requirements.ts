// The manifest: all 64 requirements of HCA 0.1.0, restated, as plain data. What does not hold yet says so here, with the reason; its test
// then runs as an expected failure and turns red on the day it passes.

/** A requirement: what must hold, what is checked, and why it is expected to fail where it does not hold yet. */
export interface Requirement {
  rule: string;
  check: string;
  expected: 'holds' | { fails: string };
}

const must = (rule: string, check: string): Requirement => ({ rule, check, expected: 'holds' });
/** Level 1: holons, delegation, review. */
const LEVEL_1 = {
  'L1-ID-01': must('every holon has an id of its own', 'no two cards share one'),
  'L1-ID-02': must('an id outlives the host', 'the same ids after a restart'),
  'L1-ID-03': must('an id is an address', 'messages reach the holon they name'),
  'L1-ST-01': must('a holon remembers between messages', 'what an earlier message brought is there at a later one'),
  'L1-ST-02': must('its state says what phase it is in', 'ready before, working during'),
  'L1-ST-03': must('its state can be asked for', 'the status question is answered'),
  'L1-CAP-01': must('what a holon can do is on a Holon Card', 'the card can be fetched'),
  'L1-CAP-02': must('the card lists tools', 'the list is not empty'),
  'L1-CAP-03': must('the card says whether it may delegate', 'the field is there'),
  'L1-HIE-01': must('there is one root', 'one, and a second is refused'),
  'L1-HIE-02': must('every other holon has a parent', 'none without, and one without is refused'),
  'L1-HIE-03': must('authority runs in no circle', 'every way up ends at the root, and a circle is refused'),
  'L1-DEL-01': must('a parent delegates to a child', 'the child does the task'),
  'L1-DEL-02': must('a delegation says what is to be done', 'a goal'),
  'L1-DEL-03': must('a delegation sets limits', 'a budget'),
  'L1-DEL-04': must('the child says that it got it', 'a response'),
  'L1-ART-01': must('work makes versioned artifacts', 'a version'),
  'L1-ART-02': must('an artifact can be addressed', 'its bytes are fetched by id'),
  'L1-ART-03': must('an artifact says where it comes from', 'task and holon'),
  'L1-REV-01': must('nothing is accepted without a review', 'the review phase comes first'),
  'L1-REV-02': must('a review ends in a verdict', 'a verdict'),
  'L1-REV-03': must('a verdict is pass, fail or partial', 'each of the three'),
} as const satisfies Record<string, Requirement>;

/** Level 2: the whole loop and negotiation. */
const LEVEL_2 = {
  'L2-PLN-01': must('a holon plans before it works', 'the order of its phases'),
  'L2-PLN-02': must('a plan comes from the task it is for', 'the plan names the goal and its criteria'),
  'L2-PLN-03': must('a plan divides the budget', 'what goes to the work and what to the review'),
  'L2-EVL-01': must('nobody reviews what he made himself', 'producer and evaluator differ in every verdict'),
  'L2-EVL-02': must('the evaluator gets the artifacts', 'the review request and the verdict name the same ones'),
  'L2-EVL-03': must('the evaluator checks every acceptance criterion', 'each is in the verdict, with its result'),
  'L2-ITR-01': must('a failed review with attempts left leads to a revision', 'REVISE with the unmet criteria'),
  'L2-ITR-02': must('iterations are counted', '1, 2, 3'),
  'L2-ITR-03': must('there are no more attempts than allowed', 'an escalation after the last'),
  'L2-ITR-04': must('a spent budget ends in an escalation', 'no call beyond it, the reason, the parent asked'),
  'L2-NEG-01': must('a child may accept', 'the task starts'),
  'L2-NEG-02': must('a child may reject', 'the task does not start there'),
  'L2-NEG-03': must('a child may make a counter-offer', 'other constraints are proposed'),
  'L2-NEG-04': must('a parent answers a counter-offer', 'accept, reject and reassign are all heard'),
  'L2-NEG-05': must('a rejection gives a reason', 'a reason, and a sentence'),
  'L2-ESC-01': must('an escalation lists what was attempted', 'every attempt'),
  'L2-ESC-02': must('an escalation gives a reason', 'a reason, and a sentence'),
  'L2-ESC-03': must('an escalation brings evidence', 'evidence that can be looked up'),
  'L2-ESC-04': must('the parent gets it and acts on it', 'its decision and its own new state'),
  'L2-FSM-01': must('a task moves only as the table allows', 'no other move in any journal'),
  'L2-FSM-02': must('a holon moves only as the table allows', 'legal moves work, all others are refused'),
  'L2-FSM-03': must('every change of state can be seen', 'status and journal show it'),
} as const satisfies Record<string, Requirement>;

/** Level 3: knowledge and learning. */
const LEVEL_3 = {
  'L3-CMP-01': must('what a task taught is gathered once it is over', 'COMPOUND after ACCEPT and after ESCALATE'),
  'L3-CMP-02': must('gathering gives lessons', 'a lesson'),
  'L3-CMP-03': must('success and failure both teach', 'a lesson of a failed task'),
  'L3-LES-01': must('a lesson has an id of its own', 'no two share one'),
  'L3-LES-02': must('a lesson is a pattern or an antipattern', 'one of the two words'),
  'L3-LES-03': must('a lesson names the task it comes from', 'a task that exists'),
  'L3-LES-04': must('a lesson has tags to be found by', 'at least one'),
  'L3-KBS-01': must('lessons are kept', 'found after a restart'),
  'L3-KBS-02': must('every holon has the same lessons', 'found by holons that did not make them'),
  'L3-KBS-03': must('versions of a lesson are kept', 'its versions are listed'),
  'L3-KBQ-01': must('PLAN asks for lessons', 'the query, with its result'),
  'L3-KBQ-02': must('lessons can be asked for by domain', 'only that domain'),
  'L3-KBQ-03': must('lessons can be asked for by tag', 'only that tag'),
  'L3-KBQ-04': must('the most relevant comes first', 'scores in falling order, the fitting one on top'),
  'L3-CTL-01': must('what task A taught reaches task B', 'it is in the answer to B'),
  'L3-CTL-02': must('a plan uses the lessons', 'the plan names them'),
  'L3-CTL-03': must('a family of tasks gets better with time', 'fewer attempts and calls for an accepted task'),
  'L3-KBC-01': must('every task that is over contributes', 'five tasks, five lessons'),
  'L3-KBC-02': must('by message', 'hca/knowledge/contribute'),
  'L3-KBC-03': must('a contribution is acknowledged', 'the result comes back to who contributed'),
} as const satisfies Record<string, Requirement>;

export const LEVELS = { 1: LEVEL_1, 2: LEVEL_2, 3: LEVEL_3 } as const;

export const REQUIREMENTS = { ...LEVEL_1, ...LEVEL_2, ...LEVEL_3 } as const;
export type RequirementId = keyof typeof REQUIREMENTS;
