// `npm run deploy -- --env dev`: builds, deploys every stack, asks nothing, and says how to use what is there then.
import { deploy } from './cloud/commands.ts';
import { run } from './cloud/run.ts';

await run(deploy);
