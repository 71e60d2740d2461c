// `npm run destroy -- --env dev`: takes an environment away; production wants its name, typed or as --confirm prod.
import { destroy } from './cloud/commands.ts';
import { run } from './cloud/run.ts';

await run(destroy);
