// A command about a deployment as a person types it: `-- --env dev`. Whatever is wrong is one line with the remedy, and exit code 2.
import { parseArgs } from 'node:util';
import { type Environment, environmentNamed } from '#infra/environments.ts';
import type { Command } from './commands.ts';

/** Runs it with the arguments of this process. */
export const run = async (command: Command): Promise<void> => {
  try {
    const { values } = parseArgs({
      options: {
        env: { type: 'string' },
        confirm: { type: 'string' },
        context: { type: 'string', short: 'c', multiple: true },
      },
    });
    const { context = [], confirm = null } = values;
    process.exitCode = await command({ environment: named(values.env), context, confirm });
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 2;
  }
};

function named(env: string | undefined): Environment {
  if (env === undefined) throw new Error('Which environment? Say it: -- --env dev');
  return environmentNamed(env);
}
