// `npm run diff -- --env dev`: what a deployment would change.
import { diff } from './cloud/commands.ts';
import { run } from './cloud/run.ts';

await run(diff);
