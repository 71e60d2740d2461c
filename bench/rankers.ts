// Our index and its peers behind one function each: title counted twice, and text.
import MiniSearch from 'minisearch';
import bm25 from 'wink-bm25-text-search';
import nlp from 'wink-nlp-utils';
import type { Entry } from '#shared/domain/knowledge/index-entry.ts';
import { createIndex } from '#shared/domain/knowledge/index-lessons.ts';
import { stem } from '#shared/domain/knowledge/stem.ts';
import { wordsOf } from '#shared/domain/knowledge/text.ts';
import type { Document, Ranker } from './collection.ts';

export const HCA = 'hca';
export const PLAIN = 'plain BM25, our stems and stop words';

/** By name, each made of the documents. */
export const RANKERS: Readonly<Record<string, (documents: readonly Document[]) => Ranker>> = {
  [HCA]: ours,
  [PLAIN]: plain,
  'wink-bm25-text-search 3.1.2': wink,
  'minisearch 7.2.0, default': minisearch,
};

function ours(documents: readonly Document[]): Ranker {
  const index = createIndex([
    { name: 'title', weight: 2 },
    { name: 'text', weight: 1 },
  ]);
  for (const { id, title, text } of documents) index.put({ ...ALIKE, id, text: { title, text } });
  return (text) => index.search({ text, now: 0 }).map(({ id }) => id);
}

/** Nothing but the words tells these entries apart. */
const ALIKE: Omit<Entry, 'id' | 'text'> = {
  domain: '',
  family: '',
  type: 'pattern',
  tags: [],
  trust: 'confirmed',
  used: 0,
  helped: 0,
  hurt: 0,
  created_at: 0,
};

/** The textbook values, k1 1.5 and b 0.75. */
function plain(documents: readonly Document[]): Ranker {
  const rows = documents.map(({ id, title, text }) => {
    const terms = [title, title, text].flatMap((part) => wordsOf(part).map(stem));
    return { id, length: terms.length, counts: tally(terms) };
  });
  const average = rows.reduce((sum, { length }) => sum + length, 0) / rows.length;
  const inRows = tally(rows.flatMap(({ counts }) => [...counts.keys()]));
  const idf = (term: string): number => {
    const n = inRows.get(term) ?? 0;
    return Math.log(1 + (rows.length - n + 0.5) / (n + 0.5));
  };
  return (text) => {
    const query = [...tally(wordsOf(text).map(stem))].map(([term, count]) => ({ term, factor: count * idf(term) }));
    const scored = rows.map(({ id, length, counts }) => {
      const norm = 1.5 * (0.25 + (0.75 * length) / average);
      const parts = query.map(
        ({ term, factor }) => (factor * 2.5 * (counts.get(term) ?? 0)) / ((counts.get(term) ?? 0) + norm),
      );
      return { id, score: parts.reduce((sum, part) => sum + part, 0) };
    });
    return scored
      .sort((one, other) => other.score - one.score || (one.id < other.id ? -1 : 1))
      .map(({ id }) => id)
      .slice(0, 10);
  };
}

function tally(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

function wink(documents: readonly Document[]): Ranker {
  const engine = bm25();
  engine.defineConfig({ fldWeights: { title: 2, text: 1 } });
  engine.definePrepTasks([nlp.string.lowerCase, nlp.string.tokenize0, nlp.tokens.removeWords, nlp.tokens.stem]);
  for (const { id, title, text } of documents) engine.addDoc({ title, text }, id);
  engine.consolidate();
  return (text) => engine.search(text, 10).map(([id]) => String(id));
}

function minisearch(documents: readonly Document[]): Ranker {
  const engine = new MiniSearch<Document>({ fields: ['title', 'text'] });
  engine.addAll(documents);
  return (text) =>
    engine
      .search(text)
      .slice(0, 10)
      .map(({ id }) => String(id));
}
