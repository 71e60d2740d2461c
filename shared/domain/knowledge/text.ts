// Text to terms, in any script: words, parts of identifiers, and pairs of characters where a script has no spaces (L3-KBQ-04).
// Whatever else is in a text (control characters, lone surrogates, symbols) only separates words.
import { stem } from './stem.ts';
import { STOP_WORDS } from './text-stop.ts';

/** Distinct terms a query may have: a goal has 10 to 30, a pasted log thousands. */
const QUERY_TERMS = 64;
/** Characters of a query that are read at all: a long one of a single word must end too. */
const QUERY_CHARACTERS = 16_384;
/** Characters of one field that are indexed: ten times what a lesson may hold. */
const FIELD_CHARACTERS = 20_000;
/** A longer word is no word; its beginning stands for it. */
const WORD_CHARACTERS = 64;

/** Printable ASCII and its white space: most texts, and the short way through this file. */
const PLAIN = /^[\s -~]*$/;
const PLAIN_WORDS = /[A-Za-z0-9]+/g;
const WORDS = /[\p{L}\p{N}\p{M}]+/gu;
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}ー]+/u;
/** Splits a word into runs of unspaced script and of any other; the first are kept because of the brackets. */
const RUNS = new RegExp(`(${UNSPACED.source})`, 'u');
const ACCENTS = /[\u0300-\u036f]/g;
const PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|[^\p{Lu}\p{Ll}]+/gu;
/** An identifier in camel case. Names such as DynamoDB or LaTeX are words: their parts would only blur them. */
const CAMEL = /^\p{Ll}+\d*\p{Lu}/u;

/** Words of one field, in the order of the text, repeats included, stop words left out; in lower case and without Latin accents. */
export const wordsOf = (text: string): string[] => {
  const read = text.slice(0, FIELD_CHARACTERS);
  const words: string[] = [];
  if (PLAIN.test(read)) for (const word of read.match(PLAIN_WORDS) ?? []) addSpaced(words, word);
  else for (const word of fold(read).match(WORDS) ?? []) addRuns(words, word);
  return words;
};

/** `terms`: by term, how the text spells it and how often; `sequence`: the terms in the order of the text, repeats included. */
export interface QueryText {
  terms: Map<string, { word: string; count: number }>;
  sequence: string[];
}

/** Reads a query: at most QUERY_TERMS distinct terms; what follows is not looked at. */
export const readQuery = (text: string): QueryText => {
  const terms: QueryText['terms'] = new Map();
  const sequence: string[] = [];
  for (const word of wordsOf(text.slice(0, QUERY_CHARACTERS))) {
    const term = stem(word);
    const known = terms.get(term);
    if (known === undefined && terms.size === QUERY_TERMS) break;
    if (known === undefined) terms.set(term, { word, count: 1 });
    else known.count += 1;
    sequence.push(term);
  }
  return { terms, sequence };
};

/** Compatibility forms are one, and Latin letters lose their accents. Capitals stay: they show the parts of an identifier. */
function fold(text: string): string {
  return text.normalize('NFKD').replace(ACCENTS, '').normalize('NFC');
}

function addRuns(words: string[], word: string): void {
  for (const run of word.split(RUNS)) {
    if (UNSPACED.test(run)) addPairs(words, run);
    else if (run !== '') addSpaced(words, run);
  }
}

/** `readFile` is indexed whole and as `read` and `file`, so that either spelling finds it. */
function addSpaced(words: string[], run: string): void {
  add(words, run);
  if (!CAMEL.test(run)) return;
  for (const part of run.slice(0, WORD_CHARACTERS).match(PARTS) ?? []) add(words, part);
}

function add(words: string[], spelt: string): void {
  const word = spelt.slice(0, WORD_CHARACTERS).toLowerCase();
  if (!STOP_WORDS.has(word)) words.push(word);
}

/** Neighbouring characters; a single one alone. */
function addPairs(words: string[], run: string): void {
  const characters = [...run];
  if (characters.length === 1) words.push(run);
  for (let at = 1; at < characters.length; at += 1) words.push(`${characters[at - 1]}${characters[at]}`);
}
