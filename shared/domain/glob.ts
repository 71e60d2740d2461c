// Matching and containment of globs (grammar: contracts/policy.ts). Containment is what lets a policy be narrowed safely.
import type { Glob } from '#shared/contracts/policy.ts';

/** ONE = `?`, STAR = `*`, DEEP = `**`, DIRS = `**` + `/` (no folder or any number of folders). */
type Token = { kind: 'lit'; char: string } | { kind: 'one' | 'star' | 'deep' | 'dirs' };

/** True when the glob matches the whole text. Linear in pattern × text, so no pattern can stall a check. */
export function matchesGlob(glob: Glob, text: string): boolean {
  return covers(
    tokens(glob),
    [...text].map((char) => ({ kind: 'lit', char })),
  );
}

/** The first glob of the list that matches, or null. */
export function firstMatch(globs: readonly Glob[], text: string): Glob | null {
  return globs.find((glob) => matchesGlob(glob, text)) ?? null;
}

/**
 * True only if every text that `inner` matches is matched by `outer`. Sound, not complete: an odd pair may be called
 * "not contained", which narrows a policy too far rather than widening it.
 */
export function containsGlob(outer: Glob, inner: Glob): boolean {
  return covers(tokens(outer), tokens(inner));
}

/** A glob list that matches nothing outside both lists; exact when one side of every overlapping pair contains the other. */
export function intersectGlobs(left: readonly Glob[], right: readonly Glob[]): Glob[] {
  const narrower = (a: Glob, b: Glob): Glob[] => {
    if (containsGlob(a, b)) return [b];
    return containsGlob(b, a) ? [a] : [];
  };
  return [...new Set(left.flatMap((a) => right.flatMap((b) => narrower(a, b))))].sort();
}

const WILDCARD = /\*\*\/|\*\*|\*|\?|./gsu;

function tokens(glob: Glob): Token[] {
  return (glob.match(WILDCARD) ?? []).map((part): Token => {
    if (part === '**/') return { kind: 'dirs' };
    if (part === '**') return { kind: 'deep' };
    if (part === '*') return { kind: 'star' };
    if (part === '?') return { kind: 'one' };
    return { kind: 'lit', char: part };
  });
}

/** Row by row over `outer`: row[j] says that the tokens so far can absorb exactly the first j tokens of `inner`. */
function covers(outer: readonly Token[], inner: readonly Token[]): boolean {
  let row = [true, ...inner.map(() => false)];
  for (const token of outer) row = ABSORB[token.kind](row, inner, token);
  return row[inner.length] === true;
}

type Absorb = (row: readonly boolean[], inner: readonly Token[], token: Token) => boolean[];

const ABSORB: Readonly<Record<Token['kind'], Absorb>> = {
  lit: exactlyOne,
  one: exactlyOne,
  star: (row, inner) => extend(row, (before, at) => before && insideSegment(inner[at])),
  deep: (row, inner) => extend(row, (before, at) => before && inner[at] !== undefined),
  dirs: folders,
};

function exactlyOne(row: readonly boolean[], inner: readonly Token[], token: Token): boolean[] {
  return row.map((_, to) => to > 0 && row[to - 1] === true && takesOne(token, inner[to - 1]));
}

/** A repeating token may absorb nothing (`row`), or one token more than it had absorbed before. */
function extend(row: readonly boolean[], more: (before: boolean, at: number) => boolean): boolean[] {
  const next: boolean[] = [];
  for (const [to, reached] of row.entries()) next.push(reached || (to > 0 && more(next[to - 1] === true, to - 1)));
  return next;
}

/** Whole folders only: what is absorbed ends with a slash, or with another "any folders". */
function folders(row: readonly boolean[], inner: readonly Token[]): boolean[] {
  const first = row.indexOf(true);
  return extend(row, (before, at) => {
    const eaten = inner[at];
    if (eaten?.kind === 'dirs') return before;
    return first !== -1 && at >= first && eaten?.kind === 'lit' && eaten.char === '/';
  });
}

function takesOne(token: Token, eaten: Token | undefined): boolean {
  if (eaten === undefined) return false;
  if (token.kind === 'lit') return eaten.kind === 'lit' && eaten.char === token.char;
  return eaten.kind === 'one' || (eaten.kind === 'lit' && eaten.char !== '/');
}

function insideSegment(token: Token | undefined): boolean {
  if (token === undefined) return false;
  return token.kind === 'star' || token.kind === 'one' || (token.kind === 'lit' && token.char !== '/');
}
