// What can be done with the deployment of an environment. Each looks first whether there is an account to do it in.
import { spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { prefixOf } from '#infra/constructs/names.ts';
import type { Environment } from '#infra/environments.ts';
import { deployedStacks, refuseNoAccount } from './account.ts';
import { beginning } from './beginning.ts';
import { emptyBucket } from './emptying.ts';
import { idleLines } from './idle-cost.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const ASSEMBLY = 'dist/cdk';

/** What is asked: which environment, what CDK is told besides (`-c`), and the typed name of a production to be destroyed. */
export interface Asked {
  environment: Environment;
  context: readonly string[];
  confirm: string | null;
}

/** Deploys every stack and says how to begin. Answers with the exit code. */
export const deploy = async (asked: Asked): Promise<number> => {
  await refuseNoAccount({ bootstrapped: true });
  const code = cdk(asked, ['deploy', '--all', '--require-approval', 'never']);
  if (code !== 0) return code;
  console.log(['', ...(await lines(asked.environment)), '', ...idleLines(`${ROOT}${ASSEMBLY}`)].join('\n'));
  return 0;
};

/** What a deployment would change. */
export const diff = async (asked: Asked): Promise<number> => {
  await refuseNoAccount({ bootstrapped: false });
  return cdk(asked, ['diff', '--all']);
};

/** Where what is deployed can be reached. */
export const outputs = async ({ environment }: Asked): Promise<number> => {
  await refuseNoAccount({ bootstrapped: false });
  console.log((await lines(environment)).join('\n'));
  return 0;
};

/** Takes the stacks away with all they stored. Where an environment keeps its tables and bucket, its name has to be typed, and they stay. */
export const destroy = async (asked: Asked): Promise<number> => {
  await refuseNoAccount({ bootstrapped: false });
  const { name, removal } = asked.environment;
  if (removal === 'keep' && !(await isConfirmed(asked))) {
    console.error(`Nothing was destroyed: type the name of the environment, or give --confirm ${name}.`);
    return 2;
  }
  const stores = (await deployedStacks(prefixOf(name))).find((stack) => stack.name === `${prefixOf(name)}-data`);
  if (removal === 'destroy' && stores?.outputs.BucketName !== undefined) await emptyBucket(stores.outputs.BucketName);
  const code = cdk(asked, ['destroy', '--all', '--force']);
  if (code === 0 && removal === 'keep') console.log(keptLine(name, stores?.outputs ?? {}));
  return code;
};

const isConfirmed = async ({ environment: { name }, confirm }: Asked): Promise<boolean> => {
  if (confirm !== null || !process.stdin.isTTY) return confirm === name;
  const asking = createInterface({ input: process.stdin, output: process.stdout });
  const typed = await asking.question(`This takes ${name} away from everybody. Type its name to go on: `);
  asking.close();
  return typed.trim() === name;
};

const keptLine = (name: string, outputs: Readonly<Record<string, string>>): string => {
  const kept = Object.entries(outputs).flatMap(([key, value]) => (/^(Table|Bucket)/.test(key) ? [value] : []));
  return `What ${name} stored was kept, and is paid for; delete it by hand when nobody needs it: ${kept.join(', ')}`;
};

const lines = async ({ name, auth }: Environment): Promise<string[]> => {
  const stacks = await deployedStacks(prefixOf(name));
  const told = stacks.find((stack) => stack.name === `${prefixOf(name)}-app`);
  if (told === undefined) throw new Error(`${name} is not deployed here. Deploy it: npm run deploy -- --env ${name}`);
  return beginning(told, auth.kind);
};

/** CDK with its own progress; nothing is asked, because nobody may be there to answer. */
function cdk({ environment, context }: Asked, args: readonly string[]): number {
  const told = [`env=${environment.name}`, ...context].flatMap((pair) => ['--context', pair]);
  const { status } = spawnSync('cdk', [...args, ...told, '--output', ASSEMBLY, '--no-notices'], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return status ?? 1;
}
