// The program as commander sees it, made of the table of commands; every way out is an exit code of EXIT.
import { Command, CommanderError } from 'commander';
import { defaultHome, ownVersion } from '#local/home.ts';
import { EXIT, HcaFault } from '#shared/contracts/errors.ts';
import { type App, makeApp } from './app.ts';
import { COMMANDS } from './commands.ts';
import type { CommandSpec } from './define.ts';
import { fail } from './failure.ts';
import { TOPICS } from './topics.ts';

/** Runs one command line (without node and script) and answers with the exit code. */
export const runProgram = async (argv: readonly string[]): Promise<number> => {
  const outcome: { exit: number } = { exit: EXIT.accepted };
  const program = buildProgram((exit) => {
    outcome.exit = exit;
  });
  try {
    await program.parseAsync(argv, { from: 'user' });
    return outcome.exit;
  } catch (error) {
    if (error instanceof CommanderError) return usage(argv, error);
    throw error;
  }
};

/** The whole program; `done` gets the exit code of the command that ran. */
export const buildProgram = (done: (exit: number) => void): Command => {
  const program = new Command('hca')
    .description('A goal and a folder in, reviewed artifacts out.')
    .version(ownVersion(), '-V, --version', 'print the version')
    .helpCommand(false)
    .addHelpText('after', closing());
  silence(program);
  for (const spec of COMMANDS) addCommand(program, spec, done);
  addHelp(program, done);
  return program;
};

const closing = (): string =>
  [
    '',
    'Examples:',
    '  $ hca run "make lint and tests pass"     a reviewed change for this folder',
    '  $ hca diff last && hca apply last        look at it, then take it',
    '',
    `Help topics: ${Object.keys(TOPICS)
      .map((topic) => `hca help ${topic}`)
      .join(' · ')}`,
  ].join('\n');

/** Commander throws instead of ending the process, and leaves saying what is wrong to us. */
const silence = (command: Command): Command =>
  command
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
    .showHelpAfterError(false);

const addCommand = (program: Command, spec: CommandSpec, done: (exit: number) => void): void => {
  const words = spec.name.split(' ');
  const parent = words.length === 1 ? program : groupOf(program, words[0] ?? '');
  const command = silence(parent.command(words.at(-1) ?? '')).description(spec.summary);
  for (const { name, text } of spec.args) command.argument(name, text);
  for (const { flags, text } of spec.options) command.option(flags, text);
  command
    .option('--json', 'answer with JSON on stdout')
    .option('--home <folder>', 'the home of the host (default: $HCA_HOME)')
    .option('--endpoint <url>', 'a host elsewhere, where you are logged in (default: $HCA_ENDPOINT)');
  command.addHelpText('after', ['', 'Examples:', ...spec.examples.map((line) => `  $ ${line}`)].join('\n'));
  command.action(async () => {
    const options = command.opts();
    const app = makeApp({
      json: options.json === true,
      home: homeOf(options.home),
      endpoint: endpointOf(options.endpoint),
    });
    done(await attempt(app, spec, { args: command.args, options }));
  });
};

/** `hca help`, of a command or of a topic that is no command. */
const addHelp = (program: Command, done: (exit: number) => void): void => {
  const help = silence(program.command('help')).description('help on a command or a topic').argument('[topic...]');
  help.action((words: string[]) => {
    const topic = TOPICS[words.join(' ')];
    const command = words.reduce<Command | undefined>(
      (at, word) => at?.commands.find((c) => c.name() === word),
      program,
    );
    if (topic !== undefined) process.stdout.write(topic);
    else if (command === undefined) throw new CommanderError(1, 'hca.help', `there is no help on "${words.join(' ')}"`);
    else command.outputHelp();
    done(EXIT.accepted);
  });
};

const groupOf = (program: Command, name: string): Command => {
  const known = program.commands.find((command) => command.name() === name);
  return known ?? silence(program.command(name)).description(GROUPS[name] ?? '');
};

const GROUPS: Readonly<Record<string, string>> = {
  holon: 'holons: list, card, status, add',
  holarchy: 'the holarchy: show, load',
  'dead-letters': 'messages that could not be delivered: list, redrive',
};

const homeOf = (given: unknown): string =>
  defaultHome(typeof given === 'string' ? { ...process.env, HCA_HOME: given } : process.env);

/** An empty variable is one that is not set. */
const endpointOf = (given: unknown): string | undefined =>
  typeof given === 'string' ? given : process.env.HCA_ENDPOINT || undefined;

const attempt = async (
  app: App,
  spec: CommandSpec,
  given: { args: string[]; options: Record<string, unknown> },
): Promise<number> => {
  try {
    return await spec.run(app, given);
  } catch (error) {
    app.screen.status();
    return fail(app, error);
  }
};

/** What commander had to say: help and version were asked for; anything else is a mistake on the command line. */
const usage = (argv: readonly string[], error: CommanderError): number => {
  if (error.exitCode === 0) return EXIT.accepted;
  if (error.code === 'commander.help') return EXIT.bad_input;
  const message = error.message.replace(/^error: /, '').split('\n')[0] ?? '';
  const known = COMMANDS.find((spec) => argv.join(' ').startsWith(spec.name));
  const remedy = known === undefined ? 'hca --help lists the commands' : `see: hca ${known.name} --help`;
  const document = (value: unknown): void => void process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
  const app = { json: argv.includes('--json'), document };
  return fail(app, new HcaFault('HcaBadInput', { message, field: 'command line', remedy }));
};
