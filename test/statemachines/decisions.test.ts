// What needs a decision is caught by name wherever it is thrown, and where data is needed asked for again at the same tick (docs/decisions/0041).
import { describe, expect, it } from 'vitest';
import { STEPS, type StepName } from '#shared/contracts/steps.ts';
import { type Json, tasksOf } from '#test/support/machines.ts';

const tasks = tasksOf('task');
const straightOf = (step: string): string | null => STEPS[step as StepName].straight;
const isAgain = ({ payload }: (typeof tasks)[number]): boolean => payload.unsettled === true;

const unsettledOf = ({ json }: { json: Json }): Json | undefined =>
  ((json.Catch ?? []) as Json[]).find(({ ErrorEquals }) => (ErrorEquals as string[]).includes('HcaUnsettled'));

describe('a step that goes straight on with one word', () => {
  const asked = tasks.filter(({ step }) => straightOf(step) !== null);
  const first = asked.filter((task) => !isAgain(task));
  const again = asked.filter(isAgain);

  it('has its other words caught, before anything else is', () => {
    expect(first.length).toBeGreaterThan(2);
    for (const task of first) {
      const rules = task.json.Catch as { ErrorEquals: string[] }[];
      const at = (error: string): number => rules.findIndex(({ ErrorEquals }) => ErrorEquals.includes(error));
      expect(at('HcaUnsettled'), task.name).toBeGreaterThanOrEqual(0);
      if (at('States.ALL') >= 0) expect(at('HcaUnsettled'), task.name).toBeLessThan(at('States.ALL'));
    }
  });

  it('is asked again with the very same words and tick, and only from there', () => {
    expect(again.map(({ name }) => name).toSorted()).toEqual(['Regroup', 'Unsettled']);
    for (const { name, step, payload } of again) {
      const from = first.find((task) => task.step === step);
      const { unsettled: _unsettled, ...rest } = payload;
      expect(rest, name).toEqual(from?.payload);
      expect(unsettledOf(from ?? { json: {} })?.Next).toBe(name);
      expect(JSON.stringify(unsettledOf(from ?? { json: {} })), name).not.toContain('+ 1');
    }
  });

  it('is the only one that is asked so', () => {
    expect(tasks.filter(isAgain).filter(({ step }) => straightOf(step) === null)).toEqual([]);
  });
});

describe('a wait for another holon', () => {
  it('that ends unsettled or not in time goes to the step that looks, one tick on', () => {
    for (const task of tasks.filter(({ step }) => ['delegate', 'review'].includes(step))) {
      expect(unsettledOf(task)?.ErrorEquals, task.name).toEqual(['HcaUnsettled', 'States.Timeout']);
      expect(JSON.stringify(unsettledOf(task)), task.name).toContain('tick + 1');
    }
  });
});
