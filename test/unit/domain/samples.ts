// Cards and budgets for the tests of the rules: small builders and fast-check arbitraries.
import * as fc from 'fast-check';
import { type Budget, DIMENSIONS } from '#shared/contracts/budget.ts';
import { HolonCard } from '#shared/contracts/holon.ts';

/** A card; a leaf unless something else is said. */
export const card = (id: string, parent: string | null, more: Partial<HolonCard> = {}): HolonCard =>
  HolonCard.parse({ id, parent, role: parent === null ? 'root' : 'leaf', can_delegate: parent === null, ...more });

export const domain = (id: string, parent: string, more: Partial<HolonCard> = {}): HolonCard =>
  card(id, parent, { role: 'domain', can_delegate: true, ...more });

/** The holarchy of the architecture drawing. */
export const drawing = (): HolonCard[] => [
  card('root', null),
  domain('engineering', 'root'),
  card('developer', 'engineering', { families: ['fix-lint', 'fix-test'], tools: ['shell.run'], harness: 'code-fix' }),
  card('refactorer', 'engineering', { families: ['fix-lint'], tools: ['fs.write'], harness: 'refactor' }),
  domain('quality', 'root'),
  card('tester', 'quality', { families: ['write-test'], evaluates: true }),
  card('evaluator', 'quality', { evaluates: true }),
  domain('research', 'root'),
  card('researcher', 'research', { families: ['find-docs'] }),
];

export const budget = (calls: number, more: Partial<Budget> = {}): Budget => ({
  usd_micros: calls,
  tokens: calls,
  calls,
  attempts: calls,
  time_ms: calls,
  ...more,
});

/** Budgets up to `max` in every dimension, 0 and `max` often. */
export const anyBudget = (max: number): fc.Arbitrary<Budget> => {
  const amount = fc.oneof(fc.constant(0), fc.constant(max), fc.integer({ min: 0, max }));
  return fc.record({ usd_micros: amount, tokens: amount, calls: amount, attempts: amount, time_ms: amount });
};

/** Integers of 0 or more in every dimension. */
export const isSane = (one: Budget): boolean => DIMENSIONS.every((d) => Number.isInteger(one[d]) && one[d] >= 0);

/** Checks a property many times; a failure shows the smallest example. */
export const holds = <Values>(property: fc.IProperty<Values>, numRuns = 300): void => {
  void fc.assert(property, { numRuns }); // the property is synchronous: a failure is thrown right here
};
