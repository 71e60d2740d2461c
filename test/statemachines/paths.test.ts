// Every path through both machines of a task is legal in the table of states, a new generation's too.
import { describe, expect, it } from 'vitest';
import { TaskMachine } from '#shared/contracts/machines.ts';
import { STEPS, type StepName } from '#shared/contracts/steps.ts';
import type { TaskState } from '#shared/contracts/task.ts';
import { canMoveTask, isTerminal, TASK_MOVES } from '#shared/domain/lifecycle.ts';
import { type Json, machine, statesOf, tasksOf } from '#test/support/machines.ts';

/** A machine as it is walked: states outside a Map, and the step of each Task. */
const machineOf = (kind: TaskMachine) => ({
  kind,
  states: new Map(
    statesOf(kind)
      .filter(({ within }) => within === null)
      .map(({ name, json }) => [name, json]),
  ),
  steps: new Map(tasksOf(kind).map(({ name, step }) => [name, step as StepName])),
});
type Walked = ReturnType<typeof machineOf>;

/** The record's states after a step that returned a word; in order, each a move. */
const AFTER: Readonly<Record<string, (word: string, from: TaskState) => TaskState[]>> = {
  plan: (word, from) => planned(word, from),
  work: () => [],
  collect: (word) => (word === 'wave' ? ['collecting', 'delegating'] : ['collecting']),
  arbitrate: (word) => (word === 'wave' ? ['delegating'] : []),
  review: () => ['reviewing'],
  verdict: () => [],
  revise: () => ['revising'],
  accept: () => ['accepting'],
  escalate: (_word, from) => (canMoveTask(from, 'escalating') ? ['escalating'] : []),
  compound: (_word, from) => ['compounding', from === 'accepting' ? 'completed' : 'escalated'],
};

const PHASES: readonly TaskState[] = [
  'working',
  'delegating',
  'collecting',
  'reviewing',
  'accepting',
  'escalating',
  'compounding',
];

/** In an underway record Plan changes nothing and returns the word that fits; else it plans. */
const planned = (word: string, from: TaskState): TaskState[] => {
  if (PHASES.includes(from)) return [];
  if (word === 'leaf') return ['planning', 'working'];
  return word === 'coordinator' ? ['planning', 'delegating'] : ['planning'];
};

/** The words Plan may return for a record in a state. */
const wordsOfPlan = (from: TaskState): string[] => {
  if (['accepting', 'escalating', 'compounding'].includes(from)) return ['compound'];
  if (from === 'reviewing') return ['review'];
  if (from === 'working') return ['leaf'];
  return from === 'delegating' || from === 'collecting' ? ['coordinator'] : ['leaf', 'coordinator', 'escalate'];
};

const wordsOf = (step: StepName, from: TaskState): string[] => {
  if (step === 'plan') return wordsOfPlan(from);
  if (step === 'verdict' && from !== 'reviewing') return ['review', 'escalate'];
  const { word } = (STEPS[step].output as unknown as { shape: { word: { options: string[] } } }).shape;
  return word.options.filter((one) => one !== 'more');
};

const chosen = (json: Json, word: string): string => {
  const choices = json.Choices as { Condition: string; Next: string }[];
  return choices.find(({ Condition }) => Condition.includes(`= '${word}'`))?.Next ?? String(json.Default);
};

interface Place {
  of: Walked;
  at: string;
  state: TaskState;
  word: string;
}

const illegal: string[] = [];
const visited = new Set<string>();
const ends = new Set<TaskState>();

/** Cancel is a story of its own: from every phase, straight to its two states. */
const cancelled = (from: TaskState): void => {
  if (!canMoveTask(from, 'cancelling')) illegal.push(`Cancel: ${from} > cancelling`);
};

const moved = (place: Place, step: StepName, word: string): TaskState => {
  let state = place.state;
  for (const next of AFTER[step]?.(word, place.state) ?? []) {
    if (!canMoveTask(state, next)) illegal.push(`${place.of.kind} ${place.at}: ${state} > ${next} on "${word}"`);
    state = next;
  }
  return state;
};

/**
 * What follows a place: each word of its step, thrown once it is committed unless it goes straight on (docs/decisions/0041), and each
 * other Catch, which finds the record as it was.
 */
const follow = (place: Place): Place[] => {
  const json = place.of.states.get(place.at) ?? {};
  if (json.Type === 'Choice') return [{ ...place, at: chosen(json, place.word) }];
  if (json.Type === 'Map') return [{ ...place, at: String(json.Next) }, ...caught(place, json)];
  const step = place.of.steps.get(place.at);
  return step === undefined ? [] : told(place, step, json);
};

const told = (place: Place, step: StepName, json: Json): Place[] => {
  const { waits } = STEPS[step];
  const again = ['Replan', 'Regroup'].includes(place.at);
  const straight: string | null = step === 'plan' ? place.of.kind : STEPS[step].straight;
  const after = wordsOf(step, place.state).map((word) => ({
    of: place.of,
    word,
    state: again ? place.state : moved(place, step, word),
  }));
  const isStraight = (word: string): boolean => straight === null || word === straight;
  const on = after.filter(({ word }) => isStraight(word) !== again);
  const thrown = again ? [] : after.filter(({ word }) => waits || !isStraight(word));
  if (json.Next === undefined) for (const { state } of on) ends.add(state);
  return [
    ...(json.Next === undefined ? [] : on.map((one) => ({ ...one, at: String(json.Next) }))),
    ...thrown.flatMap((one) => caught({ ...place, ...one }, json, (error) => error === 'HcaUnsettled')),
    ...caught(place, json, (error) => straight === null || error !== 'HcaUnsettled'),
  ];
};

/** Where a Catch leads for the errors that are meant. */
const caught = (place: Place, json: Json, meant: (error: string) => boolean = () => true): Place[] =>
  ((json.Catch ?? []) as { Next: string; ErrorEquals: string[] }[]).flatMap(({ Next, ErrorEquals }) => {
    if (!ErrorEquals.some(meant)) return [];
    if (Next === 'Cancel') cancelled(place.state);
    return Next === 'Cancel' || Next === 'Finish' ? [] : [{ ...place, at: Next }];
  });

const explore = (of: Walked, from: TaskState): void => {
  const open: Place[] = [{ of, at: String(machine(of.kind).StartAt), state: from, word: '' }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const key = `${of.kind} ${place.at} ${place.state} ${place.word}`;
    if (visited.has(key)) continue;
    visited.add(key);
    open.push(...follow(place));
  }
};

describe('every path of a task', () => {
  it.each(TaskMachine.options)('in a %s is legal, begun as agreed or by a new generation in any phase', (kind) => {
    const begun = (Object.keys(TASK_MOVES) as TaskState[]).filter(
      (state) => !isTerminal(state) && !['submitted', 'offered', 'countered', 'waiting', 'cancelling'].includes(state),
    );
    const before = visited.size;
    for (const state of begun) explore(machineOf(kind), state);
    expect(visited.size - before).toBeGreaterThan(60);
    expect(illegal).toEqual([]);
  });

  it('that ends, ends in a state that nothing leads out of', () => {
    expect([...ends].toSorted()).toEqual(['completed', 'escalated']);
  });
});
