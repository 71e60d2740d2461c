// Recogniser for the wordings of a task family (grammar: contracts/profile.ts). A clause counts only when every word is explained.
import type { Grammar } from '#shared/contracts/profile.ts';
import type { Word } from './tokens.ts';

/** A criteria template that a wording asks for, with what the wording says about it. */
export type Meaning = { template: string; params: Readonly<Record<string, string>> };

/** What the words up to some point mean, and the parameters read on the way. */
type Reading = { meanings: readonly Meaning[]; params: Readonly<Record<string, string>> };

/** End positions and the first reading that led there. */
type Ends = Map<number, Reading>;

type Item = { kind: 'word' | 'rule' | 'slot'; name: string; accepts: string[]; repeat: '' | '?' | '*' };
/** `instead`: the alternative's own meaning takes the place of what its words mean (`=>>`). */
type Alternative = { items: Item[]; means: Meaning | null; instead: boolean };

/** Asks whether a rule derives the words from one position up to another. */
export type Recognition = (rule: string, from: number, to: number) => readonly Meaning[] | null;

/** A grammar made ready for any number of sentences. */
export type Recogniser = (words: readonly Word[]) => Recognition;

/**
 * Meanings of a stretch of words if the rule derives all of them, else null. What was found out about a position serves every stretch
 * that covers it, so the time is polynomial in the number of words. A rule that begins with itself derives nothing.
 */
export function recogniser(grammar: Grammar): Recogniser {
  const rules = new Map(Object.entries(grammar).map(([name, lines]) => [name, lines.map(alternativeOf)]));
  return (words) => {
    const run: Run = { rules, words, memo: new Map() };
    return (rule, from, to) => endsOf(run, rule, from).get(to)?.meanings ?? null;
  };
}

type Run = { rules: Map<string, Alternative[]>; words: readonly Word[]; memo: Map<string, Ends> };

function endsOf(run: Run, rule: string, at: number): Ends {
  const key = `${at} ${rule}`;
  const known = run.memo.get(key);
  if (known !== undefined) return known;
  const ends: Ends = new Map();
  run.memo.set(key, ends);
  for (const alternative of run.rules.get(rule) ?? []) {
    for (const [end, reading] of walk(run, alternative, at)) {
      if (!ends.has(end)) ends.set(end, reading);
    }
  }
  return ends;
}

function walk(run: Run, { items, means, instead }: Alternative, at: number): Ends {
  let ends: Ends = new Map([[at, { meanings: [], params: {} }]]);
  for (const item of items) ends = advance(run, item, ends);
  if (means === null) return ends;
  const said = (reading: Reading): Meaning => ({ ...means, params: { ...reading.params, ...means.params } });
  return new Map(
    [...ends].map(([end, reading]) => [
      end,
      { meanings: [...(instead ? [] : reading.meanings), said(reading)], params: {} },
    ]),
  );
}

function advance(run: Run, item: Item, from: Ends): Ends {
  const ends: Ends = item.repeat === '' ? new Map() : new Map(from);
  let front = from;
  do {
    front = oneMore(run, item, front);
    for (const at of ends.keys()) front.delete(at);
    for (const [end, reading] of front) ends.set(end, reading);
  } while (item.repeat === '*' && front.size > 0);
  return ends;
}

function oneMore(run: Run, item: Item, front: Ends): Ends {
  const next: Ends = new Map();
  for (const [at, reading] of front) {
    for (const [end, more] of taken(run, item, at)) next.set(end, next.get(end) ?? joined(reading, more));
  }
  return next;
}

function joined(left: Reading, right: Reading): Reading {
  return { meanings: [...left.meanings, ...right.meanings], params: { ...left.params, ...right.params } };
}

function taken(run: Run, item: Item, at: number): Ends {
  if (item.kind === 'rule') return endsOf(run, item.name, at);
  const word = run.words[at];
  if (word === undefined) return new Map();
  if (item.kind === 'word') return item.accepts.includes(word.text) ? one(at, {}) : new Map();
  const value = slotValue(item.accepts, word);
  return value === null ? new Map() : one(at, { [item.name]: value });
}

const one = (at: number, params: Reading['params']): Ends => new Map([[at + 1, { meanings: [], params }]]);

const NUMBERS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const PATH = /^(?=.*[/.])(?![/~])(?!.*\.\.)[\w@*-]*(\.[\w*-]+)*(\/[\w.@*-]+)*\/?$/;

/** `number`, `path`, `word`, or a list of parts of which a name like `lint:check` must have one. */
function slotValue(accepts: readonly string[], { text, raw }: Word): string | null {
  const kind = accepts.length === 1 ? accepts[0] : 'name';
  if (kind === 'number') return numberOf(text);
  if (kind === 'path') return PATH.test(raw) ? raw.replace(/\/$/, '') : null;
  return kind === 'word' ? wordOf(raw) : namedWith(accepts, { text, raw });
}

const wordOf = (raw: string): string | null => (/^[\p{L}\p{N}_-]+$/u.test(raw) ? raw : null);

function namedWith(parts: readonly string[], { text, raw }: Word): string | null {
  return text.split(/[:._-]/).some((part) => parts.includes(part)) ? raw : null;
}

function numberOf(text: string): string | null {
  if (/^\d{1,9}$/.test(text)) return String(Number(text));
  const at = NUMBERS.indexOf(text);
  return at < 0 ? null : String(at);
}

function alternativeOf(line: string): Alternative {
  const [wording = '', meaning] = line.split(/=>>?/);
  const [template, ...pairs] = (meaning ?? '').trim().split(/\s+/);
  const params = Object.fromEntries(pairs.map((pair) => [pair.split('=')[0] ?? '', pair.split('=')[1] ?? '']));
  const items = wording.trim().split(/\s+/).map(itemOf);
  const means = template === undefined || template === '' ? null : { template, params };
  return { items, means, instead: line.includes('=>>') };
}

function itemOf(text: string): Item {
  const [, core = text, mark = ''] = /^(.{2,}?)([?*]?)$/.exec(text) ?? [];
  const repeat = mark === '?' || mark === '*' ? mark : '';
  const slot = /^\{([a-z_]+):([^}]+)\}$/.exec(core);
  if (slot !== null) return { kind: 'slot', name: slot[1] ?? '', accepts: (slot[2] ?? '').split('|'), repeat };
  const rule = /^<([a-z0-9-]+)>$/.exec(core);
  if (rule !== null) return { kind: 'rule', name: rule[1] ?? '', accepts: [], repeat };
  return { kind: 'word', name: core, accepts: core.split('|'), repeat };
}
