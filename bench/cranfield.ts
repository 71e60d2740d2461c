// Quality of ranking beside its peers: nDCG@10 on Cranfield (BENCH_CRANFIELD: its folder; else the one beside the repository), on the same abstracts
// in other lengths, and on a collection of another kind where there is one (BENCH_PACKAGES, see aws-examples.ts).
import { existsSync } from 'node:fs';
import path from 'node:path';
import { awsExamples } from './aws-examples.ts';
import { type Collection, type Document, type Quality, quality, readCollection } from './collection.ts';
import { HCA, PLAIN, RANKERS } from './rankers.ts';
import type { Figure } from './table.ts';

const BESIDE = path.join(import.meta.dirname, '..', '..', 'shared', 'data', 'cranfield');

/** Each collection whole with every peer; then halves and other lengths beside plain BM25. */
export const measure = async (): Promise<Figure[]> => {
  const folder = process.env.BENCH_CRANFIELD ?? BESIDE;
  if (!existsSync(folder)) throw new Error('no Cranfield: name its folder in BENCH_CRANFIELD');
  const cranfield = { ...readCollection(folder), name: 'Cranfield' };
  const packages = process.env.BENCH_PACKAGES;
  return [
    ...whole(cranfield, '≥ 42'),
    ...(packages === undefined ? [] : whole(awsExamples(packages))),
    ...LENGTHS.flatMap(([name, cut]) => short({ ...cranfield, name, documents: cranfield.documents.map(cut) })),
  ];
};

/** Long documents made short, and short ones long: what is tuned to one length falls below plain BM25 in another. */
const LENGTHS: readonly [string, (document: Document, at: number, all: readonly Document[]) => Document][] = [
  ['Cranfield, titles only', (document) => ({ ...document, text: '' })],
  ['Cranfield, 40 words each', (document) => ({ ...document, text: firstWords(document.text, 40) })],
  [
    'Cranfield, every second one 20 words',
    (document, at) => (at % 2 === 0 ? document : { ...document, text: firstWords(document.text, 20) }),
  ],
];

const firstWords = (text: string, count: number): string => text.split(' ').slice(0, count).join(' ');

function whole(collection: Collection, target?: string): Figure[] {
  const found = Object.entries(RANKERS).map(([ranker, make]) => ({
    ranker,
    of: quality(collection, make(collection.documents)),
  }));
  const ours = found.find(({ ranker }) => ranker === HCA)?.of;
  const all = found.map(({ ranker, of }) => row({ collection, part: 'all', ranker, of, ours, target }));
  const halves = (['even', 'odd'] as const).flatMap((part) =>
    found.filter(({ ranker }) => isPaired(ranker)).map((one) => row({ collection, part, ...one, ours })),
  );
  return [...all, ...halves];
}

function short(collection: Collection): Figure[] {
  const found = [HCA, PLAIN].map((ranker) => ({
    ranker,
    of: quality(collection, RANKERS[ranker]?.(collection.documents) ?? (() => [])),
  }));
  return found.map((one) => row({ collection, part: 'all', ...one, ours: found[0]?.of }));
}

const isPaired = (ranker: string): boolean => ranker === HCA || ranker === PLAIN;

interface Found {
  collection: Collection;
  part: keyof Quality;
  ranker: string;
  of: Quality;
  ours: Quality | undefined;
  target?: string | undefined;
}

/** One number, in hundredths, so that the table's two digits are four. */
function row({ collection, part, ranker, of, ours, target }: Found): Figure {
  const queries = part === 'all' ? '' : `, ${part} queries`;
  const figure = { name: `${collection.name}${queries}: ${ranker}`, unit: 'nDCG@10 × 100', times: [of[part] * 100] };
  if (ranker === HCA) return target === undefined ? figure : { ...figure, target };
  return ours === undefined ? figure : { ...figure, against: [ours[part] * 100] };
}
