// A goal's text as sentences of words, for the grammar of task families (every word of a clause must be explained).

/** One word: `text` for comparing (lower case), `raw` as it was written. `?` and `,` are words of their own. */
export type Word = { text: string; raw: string };

/** Words that may stand between two clauses of one sentence. */
export const CONNECTORS: ReadonlySet<string> = new Set([',', 'and', 'then', 'but', 'also', '&', '+', 'plus']);

/** Sentences of words. They end at `.`, `!`, `;` and line ends; quotes and brackets around words are dropped. */
export function sentencesOf(goal: string): Word[][] {
  const sentences: Word[][] = [[]];
  for (const piece of pieces(goal)) {
    if (piece === null) sentences.push([]);
    else sentences.at(-1)?.push(piece);
  }
  return sentences.filter((words) => words.some((word) => !CONNECTORS.has(word.text)));
}

/** Null stands for the end of a sentence. */
function pieces(goal: string): (Word | null)[] {
  const plain = goal
    .normalize('NFKC')
    .replaceAll(/[’‘]/g, "'")
    .replaceAll(/[“”«»`"]/g, ' ');
  return plain.split(/\r?\n/).flatMap((line) => [...line.split(/\s+/).flatMap(wordsOf), null]);
}

const EDGES = /^[('[{]+|[)'\]}]+$/g;
const DASH = /^[-–—]+$/;

function wordsOf(chunk: string): (Word | null)[] {
  if (chunk === '') return [];
  if (DASH.test(chunk) || chunk === '/') return [word(',')];
  if (chunk === '.') return [word(chunk)];
  const ending = /[.,;:!?)'\]}]*$/.exec(chunk)?.[0] ?? '';
  const core = chunk.endsWith('...') ? chunk : chunk.slice(0, chunk.length - ending.length);
  const clean = core.replaceAll(EDGES, '').replace(/^\.\/(?!\.)/, '');
  const marks = core === chunk ? [] : [...ending].flatMap(markOf);
  return clean === '' ? marks : [word(clean), ...marks];
}

function markOf(mark: string): (Word | null)[] {
  if (mark === ',') return [word(',')];
  if (mark === '?') return [word('?'), null];
  return mark === '.' || mark === ';' || mark === '!' ? [null] : [];
}

const word = (raw: string): Word => ({ raw, text: raw.toLowerCase().replace(/'s$/, '') });
