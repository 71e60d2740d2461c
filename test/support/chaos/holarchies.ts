// Holarchies for disturbed runs: two evaluators, rivals for every leaf, or many leaves side by side.
import { HolarchyFile, type HolonCard } from '#shared/contracts/holon.ts';
import { HarnessPackage } from '#shared/contracts/profile.ts';
import { noOpHarness, noOpHolarchy } from '#test/support/no-op-house.ts';

const CAPACITY = 10_000;

const card = (id: string, parent: string, rest: Partial<HolonCard>): Partial<HolonCard> => ({
  id,
  role: 'leaf',
  parent,
  capacity: CAPACITY,
  ...rest,
});

const leaf = (id: string, families: string[]) => card(id, 'works', { harness: 'no-op', families });

const withCards = (more: Partial<HolonCard>[]): HolarchyFile =>
  HolarchyFile.parse({ ...noOpHolarchy, holons: [...noOpHolarchy.holons, ...more] });

/** A second evaluator. */
export const twoEvaluators: HolarchyFile = withCards([card('critic', 'root', { evaluates: true })]);

/** A rival for each leaf, and a second evaluator: what one cannot do another may. */
export const rivals: HolarchyFile = withCards([
  card('critic', 'root', { evaluates: true }),
  leaf('turner-b', ['turn']),
  leaf('lefty-b', ['left']),
  leaf('righty-b', ['right']),
]);

/** Its frozen tool declares so many calls: an offer of fewer is countered. */
export const costly = (calls: number): HarnessPackage =>
  HarnessPackage.parse({
    ...noOpHarness,
    tools: noOpHarness.tools.map((tool) => ({ ...tool, declares: { calls, time_ms: 10 } })),
  });

/** Letters for numbers: a goal is read as words. */
const nameOf = (n: number): string => `w${String.fromCharCode(97 + Math.floor(n / 26), 97 + (n % 26))}`;

/** As many leaves below one coordinator, each with a family of its own, and the goal that needs them all. */
export const manyLeaves = (count: number): { holarchy: HolarchyFile; packages: HarnessPackage[]; goal: string } => {
  const names = Array.from({ length: count }, (_, n) => nameOf(n));
  const [family] = noOpHarness.families;
  const [tool] = noOpHarness.tools;
  const families = names.map((name) => ({
    ...family,
    name,
    title: `takes the ${name}`,
    examples: [`take the ${name}`],
    grammar: { clause: [`take the ${name} => done`] },
  }));
  return {
    holarchy: withCards(names.map((name) => leaf(`leaf-${name}`, [name]))),
    packages: [HarnessPackage.parse({ ...noOpHarness, families, tools: [{ ...tool, families: names }] })],
    goal: names.map((name) => `take the ${name}`).join(' and '),
  };
};
