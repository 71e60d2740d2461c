// Quality of ranking beside its peers: nDCG@10 on Cranfield (BENCH_CRANFIELD or the first argument: its folder), and on a collection
// of another kind where there is one (BENCH_PACKAGES: a site-packages folder with awscli and botocore, see aws-examples.ts).
import { awsExamples } from './aws-examples.ts';
import { type Collection, quality, readCollection } from './collection.ts';
import { RANKERS } from './rankers.ts';

const folder = process.argv[2] || process.env.BENCH_CRANFIELD || undefined;
const packages = process.env.BENCH_PACKAGES || undefined;
if (folder === undefined && packages === undefined)
  throw new Error('name the folder of a collection, or set BENCH_PACKAGES');
if (folder !== undefined) show(readCollection(folder));
if (packages !== undefined) show(awsExamples(packages));

function show(collection: Collection): void {
  const { name, documents, queries } = collection;
  console.log(`\n${name}: ${documents.length} documents, ${queries.length} queries, nDCG@10\n`);
  console.log('| ranker | all queries | even | odd |\n|---|---|---|---|');
  for (const [ranker, make] of Object.entries(RANKERS)) {
    const { all, even, odd } = quality(collection, make(documents));
    console.log(`| ${ranker} | ${all.toFixed(4)} | ${even.toFixed(4)} | ${odd.toFixed(4)} |`);
  }
}
