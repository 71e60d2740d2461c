// Reads a goal: every clause must be covered by a task family, or the goal is not ours (requirements section 3; no_capability).
import type { TaskFamily } from '#shared/contracts/profile.ts';
import { type Meaning, type Recogniser, type Recognition, recogniser } from './grammar.ts';
import { CONNECTORS, sentencesOf, type Word } from './tokens.ts';

export type { Meaning } from './grammar.ts';

/** A clause of the goal. `family` null: nothing we have covers it. A `side` clause only limits how the others are done. */
export type GoalClause = { text: string; family: string | null; meanings: readonly Meaning[]; side: boolean };

/** `family`: the one family of all clauses that ask for work, else null. `reason`: why the goal is refused and what can be asked instead. */
export type GoalReading = {
  clauses: GoalClause[];
  uncovered: string[];
  family: string | null;
  reason: string | null;
};

/** A goal of more words than this is a text, not a goal of these families. */
const MOST_WORDS = 200;

/** Splits the goal into clauses and reads each. Accepted only if `uncovered` is empty, which implies that some clause asks for work. */
export function readGoal(goal: string, families: readonly TaskFamily[]): GoalReading {
  const sentences = goal.length > 16_000 ? [] : sentencesOf(goal);
  const size = sentences.reduce((sum, words) => sum + words.length, 0);
  if (size === 0 || size > MOST_WORDS) return refused([clip(goal)], [], families);
  const readers = families.map((family) => ({ name: family.name, read: recogniser(family.grammar) }));
  const clauses = sentences.flatMap((words) => clausesOf(words, readers));
  const uncovered = clauses.filter((clause) => clause.family === null).map((clause) => clause.text);
  const asking = clauses.filter((clause) => clause.family !== null && !clause.side);
  if (uncovered.length > 0) return refused(uncovered, clauses, families);
  if (asking.length === 0) return refused([clip(goal)], clauses, families);
  const names = new Set(asking.map((clause) => clause.family));
  return { clauses, uncovered: [], family: names.size === 1 ? (asking[0]?.family ?? null) : null, reason: null };
}

/** What these families can do, for a person whose goal was refused. */
export function whatWeCanDo(families: readonly TaskFamily[]): string {
  const lines = families.map((family) => `${family.title} (for example: ${family.examples.slice(0, 3).join('; ')})`);
  return lines.length === 0 ? 'nothing yet: no harness is installed' : lines.join('; ');
}

function refused(uncovered: string[], clauses: GoalClause[], families: readonly TaskFamily[]): GoalReading {
  const what = uncovered.map((text) => `"${text}"`).join(', ');
  const said = uncovered.every((text) => text === '') ? 'The goal is empty' : `Nothing here can do or check ${what}`;
  return { clauses, uncovered, family: null, reason: `${said}. What can be asked: ${whatWeCanDo(families)}.` };
}

type Reader = { name: string; read: Recogniser };
type Heard = { words: readonly Word[]; readings: { name: string; derives: Recognition }[] };
type Cover = { cost: number; clauses: GoalClause[] };

/** Cheapest way to cut a sentence at its connectors: first the fewest unexplained words, then the fewest clauses. */
function clausesOf(words: readonly Word[], readers: readonly Reader[]): GoalClause[] {
  const heard: Heard = { words, readings: readers.map(({ name, read }) => ({ name, derives: read(words) })) };
  const cuts = [0, ...words.flatMap((word, at) => (CONNECTORS.has(word.text) ? [at + 1] : [])), words.length + 1];
  const best: Cover[] = [{ cost: 0, clauses: [] }];
  for (let end = 1; end < cuts.length; end += 1) {
    const options = best.map((before, start) => extended(before, heard, [cuts[start] ?? 0, (cuts[end] ?? 0) - 1]));
    best.push(options.reduce((left, right) => (right.cost < left.cost ? right : left)));
  }
  return best.at(-1)?.clauses ?? [];
}

function extended(before: Cover, heard: Heard, [from, to]: readonly [number, number]): Cover {
  const start = heard.words.findIndex((word, at) => at >= from && !CONNECTORS.has(word.text));
  if (start < 0 || start >= to) return before;
  const clause = clauseOf(heard, start, to);
  const cost = clause.family === null ? (to - start) * 1000 + 1 : 1;
  return { cost: before.cost + cost, clauses: [...before.clauses, clause] };
}

function clauseOf({ words, readings }: Heard, from: number, to: number): GoalClause {
  const said = words.slice(from, to).map((word) => word.raw);
  const text = clip(said.join(' ').replaceAll(' ,', ','));
  for (const rule of ['clause', 'side']) {
    for (const { name, derives } of readings) {
      const meanings = derives(rule, from, to);
      if (meanings !== null) return { text, family: name, meanings, side: rule === 'side' };
    }
  }
  return { text, family: null, meanings: [], side: false };
}

function clip(text: string): string {
  const plain = text.replaceAll(/\p{Cc}+/gu, ' ').trim();
  return plain.length > 160 ? `${plain.slice(0, 159)}…` : plain;
}
