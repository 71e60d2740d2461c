// The deployment of an environment: `npm run deploy|diff|outputs|destroy -- --env dev`. Asks nothing, but before production is destroyed.
import { parseArgs } from 'node:util';
import { type Environment, environmentNamed } from '#infra/environments.ts';
import { deploy, destroy, diff, outputs } from './cloud/commands.ts';

const COMMANDS = { deploy, diff, outputs, destroy } as const;

const USAGE = `npm run deploy  -- --env dev    deploy, or bring up to date; prints how to begin and what it costs while nothing runs
npm run diff    -- --env dev    what a deployment would change
npm run outputs -- --env dev    endpoint, dashboard and queue of what is deployed
npm run destroy -- --env dev    take everything away (prod: --confirm prod)`;

process.exitCode = await main(process.argv.slice(2));

async function main([command = '', ...rest]: string[]): Promise<number> {
  try {
    const { values } = parseArgs({
      args: rest,
      options: {
        env: { type: 'string' },
        confirm: { type: 'string' },
        context: { type: 'string', short: 'c', multiple: true },
        help: { type: 'boolean' },
      },
    });
    if (values.help === true || !isCommand(command)) return usage(command);
    const context = values.context ?? [];
    return await COMMANDS[command]({ environment: named(values.env), context, confirm: values.confirm ?? null });
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    return 2;
  }
}

function isCommand(word: string): word is keyof typeof COMMANDS {
  return word in COMMANDS;
}

function usage(command: string): number {
  console.log(USAGE);
  return isCommand(command) ? 0 : 2;
}

function named(env: string | undefined): Environment {
  if (env === undefined) throw new Error(`Which environment? Say it: --env dev\n\n${USAGE}`);
  return environmentNamed(env);
}
