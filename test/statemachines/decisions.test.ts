// What needs a decision is caught by name wherever it is thrown, and where data is needed asked for again at the same tick (docs/decisions/0041).
import { describe, expect, it } from 'vitest';
import { TaskMachine } from '#shared/contracts/machines.ts';
import { STEPS, type StepName } from '#shared/contracts/steps.ts';
import { type Json, tasksOf } from '#test/support/machines.ts';

type Tasks = ReturnType<typeof tasksOf>;

/** The word with which a state goes straight on: its own, or its step's. */
const straightOf = ({ step, payload }: Tasks[number]): unknown => payload.expects ?? STEPS[step as StepName].straight;

const unsettledOf = ({ json }: { json: Json }): Json | undefined =>
  ((json.Catch ?? []) as Json[]).find(({ ErrorEquals }) => (ErrorEquals as string[]).includes('HcaUnsettled'));

/** What a state asks, without what it expects; `tick`: what it was handed over, where it reads that. */
const inWords = ({ payload }: Tasks[number], tick: unknown): Json => {
  const { expects: _expects, unsettled: _unsettled, ...words } = payload;
  return { ...words, tick: words.tick === '{% $states.input.tick %}' ? tick : words.tick };
};

/** `again`: the states that ask what another decided: the same step, from nowhere but its Catch. */
const AGAIN = { leaf: ['Replan'], coordinator: ['Regroup', 'Replan'] } as const;

describe.each(TaskMachine.options)('of the %s machine, a step that goes straight on with one word', (kind) => {
  const tasks: Tasks = tasksOf(kind);
  const again = tasks.filter(({ name }) => (AGAIN[kind] as readonly string[]).includes(name));
  const first = tasks.filter((task) => straightOf(task) !== null && !again.includes(task));

  it('has its other words caught, before anything else is', () => {
    expect(first.map(({ name }) => name)).toEqual(['Plan', kind === 'leaf' ? 'Work' : 'Collect']);
    for (const task of first) {
      const rules = task.json.Catch as { ErrorEquals: string[] }[];
      const at = (error: string): number => rules.findIndex(({ ErrorEquals }) => ErrorEquals.includes(error));
      expect(at('HcaUnsettled'), task.name).toBeGreaterThanOrEqual(0);
      if (at('States.ALL') >= 0) expect(at('HcaUnsettled'), task.name).toBeLessThan(at('States.ALL'));
    }
  });

  it('is asked again with the very same words and tick, and only from there', () => {
    expect(again.map(({ name }) => name).toSorted()).toEqual(AGAIN[kind]);
    for (const state of again) {
      const from = first.find(({ step }) => step === state.step);
      const caught = unsettledOf(from ?? { json: {} }) ?? {};
      const { tick = '{% $tick %}' } = caught.Output as Json;
      expect(inWords(state, tick), state.name).toEqual(inWords(from ?? state, tick));
      expect(straightOf({ ...state, payload: {} }) === null || state.payload.unsettled, state.name).toBe(true);
      expect(caught.Next).toBe(state.name);
      expect(JSON.stringify(caught), state.name).not.toContain('+ 1');
    }
  });

  it('is the only one that is asked so', () => {
    const asked = tasks.filter(({ payload }) => payload.unsettled === true).map(({ name }) => name);
    expect(again.map(({ name }) => name)).toEqual(expect.arrayContaining(asked));
  });
});

describe.each(TaskMachine.options)('of the %s machine, a wait for another holon', (kind) => {
  it('that ends unsettled or not in time goes to the step that looks, one tick on', () => {
    const waiting = tasksOf(kind).filter(({ step }) => ['delegate', 'review'].includes(step));
    expect(waiting).toHaveLength(kind === 'leaf' ? 1 : 2);
    for (const task of waiting) {
      expect(unsettledOf(task)?.ErrorEquals, task.name).toEqual(['HcaUnsettled', 'States.Timeout']);
      expect(JSON.stringify(unsettledOf(task)), task.name).toContain('tick + 1');
    }
  });
});
