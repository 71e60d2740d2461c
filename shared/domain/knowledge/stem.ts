// English stems after Porter2 (snowballstem.org/algorithms/english): retried, retries and retrying are one term (L3-KBQ-04).
// Own code: 150 lines are less than a dependency of the domain. Letters outside a-z only pass through.

/** Stem of a lower-case word; words shorter than 3 letters, and those with anything but a-z and ', come back as they are. */
export const stem = (word: string): string => {
  if (word.length < 3 || !/^[a-z']+$/.test(word)) return word;
  const special = EXCEPTIONS.get(word);
  if (special !== undefined) return special;
  const marked = markConsonantY(word.replace(/^'/, ''));
  const regions = regionsOf(marked);
  const singular = step1a(step0(marked));
  if (INVARIANT.has(singular)) return singular;
  const first = step1c(step1b(singular, regions.r1));
  const bare = step4(step3(step2(first, regions.r1), regions), regions.r2);
  return step5(bare, regions).replaceAll('Y', 'y');
};

interface Regions {
  r1: number;
  r2: number;
}

const VOWEL = /[aeiouy]/;
const EXCEPTIONS = new Map(
  Object.entries({
    skis: 'ski',
    skies: 'sky',
    dying: 'die',
    lying: 'lie',
    tying: 'tie',
    idly: 'idl',
    gently: 'gentl',
    ugly: 'ugli',
    early: 'earli',
    only: 'onli',
    singly: 'singl',
    sky: 'sky',
    news: 'news',
    howe: 'howe',
    atlas: 'atlas',
    cosmos: 'cosmos',
    bias: 'bias',
    andes: 'andes',
  }),
);
const INVARIANT = new Set(['inning', 'outing', 'canning', 'herring', 'earring', 'proceed', 'exceed', 'succeed']);

/** A y that starts the word or follows a vowel is a consonant, written Y until the end. */
function markConsonantY(word: string): string {
  return word.replace(/^y/, 'Y').replace(/([aeiouy])y/g, '$1Y');
}

/** R1: after the first consonant that follows a vowel (or after gener-, commun-, arsen-); R2: the same within R1. */
function regionsOf(word: string): Regions {
  const prefix = /^(gener|commun|arsen)/.exec(word)?.[0].length;
  const r1 = prefix ?? regionAfter(word, 0);
  return { r1, r2: regionAfter(word, r1) };
}

function regionAfter(word: string, from: number): number {
  const found = /[aeiouy][^aeiouy]/.exec(word.slice(from));
  return found === null ? word.length : from + found.index + 2;
}

function step0(word: string): string {
  return word.replace(/'(s'?)?$/, '');
}

function step1a(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2);
  if (/ie[ds]$/.test(word)) return word.slice(0, word.length > 4 ? -2 : -1);
  if (!word.endsWith('s') || /[us]s$/.test(word)) return word;
  return VOWEL.test(word.slice(0, -2)) ? word.slice(0, -1) : word;
}

function step1b(word: string, r1: number): string {
  const eed = /eed(ly)?$/.exec(word);
  if (eed !== null) return eed.index >= r1 ? word.slice(0, eed.index + 2) : word;
  const ending = /(ed|ing)(ly)?$/.exec(word);
  if (ending === null || !VOWEL.test(word.slice(0, ending.index))) return word;
  return mend(word.slice(0, ending.index), r1);
}

/** After -ed or -ing went: hop(p) loses the double, hop(e) gets its e back. */
function mend(word: string, r1: number): string {
  if (/(at|bl|iz)$/.test(word)) return `${word}e`;
  if (/(bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(word)) return word.slice(0, -1);
  return isShort(word, r1) ? `${word}e` : word;
}

function isShort(word: string, r1: number): boolean {
  return r1 >= word.length && endsShort(word);
}

function endsShort(word: string): boolean {
  return /[^aeiouy][aeiouy][^aeiouywxY]$/.test(word) || /^[aeiouy][^aeiouy]$/.test(word);
}

function step1c(word: string): string {
  return /.[^aeiouy][yY]$/.test(word) ? `${word.slice(0, -1)}i` : word;
}

type Swap = readonly [ending: string, instead: string];

/** Longest first, for the longest match wins. */
const STEP_2: readonly Swap[] = [
  ['ization', 'ize'],
  ['ational', 'ate'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['iveness', 'ive'],
  ['tional', 'tion'],
  ['biliti', 'ble'],
  ['lessli', 'less'],
  ['entli', 'ent'],
  ['ation', 'ate'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['ousli', 'ous'],
  ['iviti', 'ive'],
  ['fulli', 'ful'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['abli', 'able'],
  ['izer', 'ize'],
  ['ator', 'ate'],
  ['alli', 'al'],
  ['bli', 'ble'],
];
const STEP_3: readonly Swap[] = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['alize', 'al'],
  ['icate', 'ic'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
];

function step2(word: string, r1: number): string {
  const swapped = swap(word, STEP_2, r1);
  if (swapped !== undefined) return swapped;
  if (/logi$/.test(word)) return word.length - 3 > r1 ? word.slice(0, -1) : word;
  const li = /[cdeghkmnrt]li$/.test(word);
  return li && word.length - 2 >= r1 ? word.slice(0, -2) : word;
}

function step3(word: string, { r1, r2 }: Regions): string {
  const swapped = swap(word, STEP_3, r1);
  if (swapped !== undefined) return swapped;
  return word.endsWith('ative') && word.length - 5 >= r2 ? word.slice(0, -5) : word;
}

/** The longest ending decides, whether or not it lies in the region. */
function swap(word: string, swaps: readonly Swap[], region: number): string | undefined {
  const found = swaps.find(([ending]) => word.endsWith(ending));
  if (found === undefined) return undefined;
  const at = word.length - found[0].length;
  return at >= region ? word.slice(0, at) + found[1] : word;
}

const STEP_4 = /(ement|ance|ence|able|ible|ment|ant|ent|ism|ate|iti|ous|ive|ize|al|er|ic|(?<=[st])ion)$/;

function step4(word: string, r2: number): string {
  const found = STEP_4.exec(word);
  return found !== null && found.index >= r2 ? word.slice(0, found.index) : word;
}

function step5(word: string, { r1, r2 }: Regions): string {
  const last = word.length - 1;
  if (word.endsWith('e')) {
    const goes = last >= r2 || (last >= r1 && !endsShort(word.slice(0, -1)));
    return goes ? word.slice(0, -1) : word;
  }
  return word.endsWith('ll') && last >= r2 ? word.slice(0, -1) : word;
}
