// `npm run outputs -- --env dev`: where what is deployed can be reached, and how to begin.
import { outputs } from './cloud/commands.ts';
import { run } from './cloud/run.ts';

await run(outputs);
