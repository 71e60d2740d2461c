// Tags of a lesson: normalised words that a person or a plan may ask for by name (L3-LES-04, L3-KBQ-03).

/** At most this many tags of this length. */
const MOST = 32;
const LONGEST = 80;

/** One tag: lower case, letters, digits and `. _ / : @ + -`; everything else becomes one hyphen. Empty when nothing is left. */
export const normaliseTag = (tag: string): string =>
  tag
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}._/:@+-]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, LONGEST);

/** Tags without repeats, in the order given. */
export const normaliseTags = (tags: readonly string[]): string[] =>
  [...new Set(tags.map(normaliseTag))].filter((tag) => tag !== '').slice(0, MOST);

/** Words that say nothing about what a goal is about. */
const FILLERS: ReadonlySet<string> = new Set(
  'the and for with that this make all any are not from into its our your please should would could have has'.split(
    ' ',
  ),
);

/** Words of a goal that make tags: three letters or more, no fillers. */
export const goalTags = (goal: string): string[] =>
  (goal.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}_-]{2,39}/gu) ?? [])
    .filter((word) => !FILLERS.has(word))
    .slice(0, 8);
