// A test collection for ranking: documents, queries, and which documents answer which query; and nDCG@10 over it.
import { readFileSync } from 'node:fs';
import path from 'node:path';

export interface Document {
  id: string;
  title: string;
  text: string;
}

/** `relevant`: ids of documents by query id. */
export interface Collection {
  name: string;
  documents: Document[];
  queries: { id: string; text: string }[];
  relevant: Map<string, Set<string>>;
}

/** Ranks: the ids of the best ten documents for a query, best first. */
export type Ranker = (text: string) => string[];

/** Reads `documents.jsonl`, `queries.jsonl` and `judgements.tsv` (query, document, gain; above 0 is relevant) in a folder. */
export const readCollection = (folder: string): Collection => {
  const relevant = new Map<string, Set<string>>();
  for (const line of linesOf(folder, 'judgements.tsv')) {
    const [query = '', document = '', gain = '0'] = line.split('\t');
    if (Number(gain) > 0) relevant.set(query, (relevant.get(query) ?? new Set()).add(document));
  }
  return {
    name: path.basename(folder),
    documents: linesOf(folder, 'documents.jsonl').map((line) => JSON.parse(line)),
    queries: linesOf(folder, 'queries.jsonl').map((line) => JSON.parse(line)),
    relevant,
  };
};

/** Mean nDCG@10 with binary relevance: over all queries, and over those at even and at odd places. */
export interface Quality {
  all: number;
  even: number;
  odd: number;
}

export const quality = ({ queries, relevant }: Collection, rank: Ranker): Quality => {
  const gains = queries.map(({ id, text }) => ndcg(rank(text), relevant.get(id) ?? new Set()));
  return {
    all: mean(gains),
    even: mean(gains.filter((_, at) => at % 2 === 0)),
    odd: mean(gains.filter((_, at) => at % 2 === 1)),
  };
};

function ndcg(ids: readonly string[], relevant: ReadonlySet<string>): number {
  const discount = (at: number): number => 1 / Math.log2(at + 2);
  const found = ids.slice(0, 10).reduce((sum, id, at) => sum + (relevant.has(id) ? discount(at) : 0), 0);
  const ideal = Array.from({ length: Math.min(10, relevant.size) }, (_, at) => discount(at)).reduce((a, b) => a + b, 0);
  return ideal === 0 ? 0 : found / ideal;
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length);
}

function linesOf(folder: string, file: string): string[] {
  return readFileSync(path.join(folder, file), 'utf8').trim().split('\n');
}
