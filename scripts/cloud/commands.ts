// What can be done with the deployment of an environment. Each looks first whether there is an account to do it in, and asks nothing but before
// production is destroyed.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { ECSClient } from '@aws-sdk/client-ecs';
import type { Environment } from '#infra/environments.ts';
import { prefixOf } from '#infra/prefix.ts';
import { deployedStacks, refuseNoAccount } from './account.ts';
import { emptyBucket } from './emptying.ts';
import { idleLine } from './idle-cost.ts';
import { stopTasks } from './stopping.ts';
import { beginning } from './told.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const BIN = path.join(ROOT, 'node_modules', '.bin');
const ASSEMBLY = 'dist/cdk';

/** What is asked: which environment, what CDK is told besides (`-c`), and the typed name of a production to be destroyed. */
export interface Asked {
  environment: Environment;
  context: readonly string[];
  confirm: string | null;
}

/** Answers with the exit code. @throws Error with the remedy */
export type Command = (asked: Asked) => Promise<number>;

/** Deploys every stack and says how to begin. */
export const deploy: Command = async (asked) => {
  await refuseNoAccount({ bootstrapped: true });
  const code = cdk(asked, ['deploy', '--all', '--require-approval', 'never']);
  if (code !== 0) return code;
  console.log(['', ...(await lines(asked.environment)), '', idleLine(path.join(ROOT, ASSEMBLY))].join('\n'));
  return 0;
};

/** What a deployment would change. */
export const diff: Command = async (asked) => {
  await refuseNoAccount({ bootstrapped: true });
  return cdk(asked, ['diff', '--all']);
};

/** Where what is deployed can be reached. */
export const outputs: Command = async ({ environment }) => {
  await refuseNoAccount({ bootstrapped: false });
  console.log((await lines(environment)).join('\n'));
  return 0;
};

/** Takes the stacks away with all they stored. Where an environment keeps its tables and bucket, its name has to be typed, and they stay. */
export const destroy: Command = async (asked) => {
  await refuseNoAccount({ bootstrapped: false });
  const { environment } = asked;
  const isKept = environment.removal === 'keep';
  if (isKept && !(await isConfirmed(asked))) {
    console.error(`Nothing was destroyed: type the name of the environment, or give --confirm ${environment.name}.`);
    return 2;
  }
  const quiet = await endWhatRuns(asked);
  if (quiet !== 0) return quiet;
  const code = cdk(asked, ['destroy', '--all', '--force']);
  if (code === 0 && isKept)
    console.log(
      `Tables and bucket of ${environment.name} were kept and are paid for; docs/how-to/deploy.md says how they go.`,
    );
  return code;
};

/**
 * First whatever runs goes, since it would start sandboxes and store more; then sandboxes are stopped and the bucket is emptied. A cluster in which
 * something runs stays, and so does a bucket that holds something; both are paid for. Answers with the exit code.
 */
const endWhatRuns = async (asked: Asked): Promise<number> => {
  const { name, removal } = asked.environment;
  const app = `${prefixOf(name)}-app`;
  const stacks = await deployedStacks(prefixOf(name));
  const code = stacks.some((stack) => stack.name === app) ? cdk(asked, ['destroy', app, '--force']) : 0;
  if (code !== 0) return code;
  for (const { outputs: told } of stacks) {
    if (told.SandboxCluster !== undefined) await stopTasks(new ECSClient({}), told.SandboxCluster);
    if (removal !== 'keep' && told.BucketName !== undefined) await emptyBucket(told.BucketName);
  }
  return 0;
};

const isConfirmed = async ({ environment: { name }, confirm }: Asked): Promise<boolean> => {
  if (confirm !== null || process.stdin.isTTY !== true) return confirm === name;
  const asking = createInterface({ input: process.stdin, output: process.stdout });
  const typed = await asking.question(`This takes ${name} away from everybody. Type its name to go on: `);
  asking.close();
  return typed.trim() === name;
};

const lines = async ({ name, auth }: Environment): Promise<string[]> => {
  const stacks = await deployedStacks(prefixOf(name));
  const told = stacks.find((stack) => stack.name === `${prefixOf(name)}-app`);
  if (told === undefined) throw new Error(`${name} is not deployed here. Deploy it: npm run deploy -- --env ${name}`);
  return beginning(told, auth, process.env.AWS_ENDPOINT_URL ?? '');
};

/** CDK with its own progress; nothing is asked, because nobody may be there to answer. */
function cdk({ environment, context }: Asked, args: readonly string[]): number {
  const told = [`env=${environment.name}`, ...context].flatMap((pair) => ['--context', pair]);
  const { status } = spawnSync(path.join(BIN, 'cdk'), [...args, ...told, '--output', ASSEMBLY, '--no-notices'], {
    cwd: ROOT,
    env: { ...process.env, PATH: [BIN, process.env.PATH].join(path.delimiter) },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return status ?? 1;
}
