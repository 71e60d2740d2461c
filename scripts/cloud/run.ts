// A command about a deployment as a person types it: `-- --env dev`. Whatever is wrong is one line with the remedy, and exit code 2.
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ENVIRONMENTS, type Environment, environmentNamed } from '#infra/environments.ts';
import type { Command } from './commands.ts';

const OPTIONS = {
  env: { type: 'string' },
  confirm: { type: 'string' },
  context: { type: 'string', short: 'c', multiple: true },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Runs it with the arguments of this process. */
export const run = async (command: Command): Promise<void> => {
  try {
    const { env, context = [], confirm = null, help } = read();
    if (help === true) console.log(HELP);
    else process.exitCode = await command({ environment: named(env), context, confirm });
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 2;
  }
};

/** @throws Error for an option that is none, with those that are */
function read() {
  try {
    return parseArgs({ options: OPTIONS }).values;
  } catch (error) {
    const [said] = String(error instanceof Error ? error.message : error).split('. ');
    throw new Error(`${said}.\n${HELP}`, { cause: error });
  }
}

function named(env: string | undefined): Environment {
  if (env === undefined) throw new Error('Which environment? Say it: -- --env dev');
  return environmentNamed(env);
}

const NAME = path.basename(process.argv[1] ?? '', '.ts');
const NAMES = ENVIRONMENTS.map(({ name }) => name).join('|');
const HELP = `npm run ${NAME} -- --env ${NAMES} [-c name=value …]${NAME === 'destroy' ? ' [--confirm prod]' : ''}
See docs/how-to/deploy.md.`;
