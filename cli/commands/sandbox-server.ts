// `hca sandbox-server`: a place to work for houses elsewhere, in the foreground until it is interrupted.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod';
import { ownVersion, prepareHome } from '#local/home.ts';
import { EXIT, HcaFault } from '#shared/contracts/errors.ts';
import type { App } from '../app.ts';
import { type CommandSpec, readOptions } from '../define.ts';

const Options = z.object({
  port: z.coerce.number().int('not a whole number').min(0).max(65_535).default(0),
  listen: z.string().default('127.0.0.1'),
  names: z.string().optional(),
  keyFile: z.string().optional(),
  network: z.boolean().default(false),
});
type Options = z.infer<typeof Options>;

export const sandboxServer: CommandSpec = {
  name: 'sandbox-server',
  args: [],
  summary: 'serve the sandbox of this machine as an OpenHands agent-server does, until interrupted',
  options: [
    { flags: '--port <number>', text: 'port to listen on (default: a free one)' },
    { flags: '--listen <address>', text: 'address to listen on (default: 127.0.0.1, this machine only)' },
    {
      flags: '--names <hosts>',
      text: 'host:port as clients elsewhere call it, with commas between; needed with --listen',
    },
    { flags: '--key-file <file>', text: 'file with the key (default: $SESSION_API_KEY, else one is made in the home)' },
    { flags: '--network', text: 'let commands reach the network' },
  ],
  examples: [
    'hca sandbox-server',
    'hca sandbox-server --port 8000 --key-file ~/.config/hca-sandbox.key --json',
    'hca sandbox-server --listen 0.0.0.0 --port 8000 --names sandbox.example.org:8000 --network',
  ],
  run: async (app, given) => {
    await serve(app, readOptions(Options, given));
    return EXIT.accepted;
  },
};

/** Loaded when it is asked for: no other command needs a sandbox in its own process. */
const serve = async (app: App, options: Options): Promise<void> => {
  const { startSandboxServer } = await import('#local/sandbox-server.ts');
  const { serverKey } = await import('#local/sandbox-server-key.ts');
  prepareHome(app.home);
  const folder = path.join(app.home, 'sandbox-server');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { key, file } = serverKey(app.env, { given: options.keyFile, own: path.join(folder, 'key') });
  const { port, listen, network } = options;
  const end = interrupted();
  const server = await startSandboxServer({
    folder,
    key,
    version: ownVersion(),
    port,
    listen,
    network,
    names: namesOf(options),
  });
  const ready = {
    url: server.url,
    pid: process.pid,
    home: server.home,
    key_file: file,
    confined_by: server.kind,
    network,
  };
  if (app.json) app.record(ready);
  else
    for (const line of [
      `The sandbox is served at ${server.url}, commands are confined by ${server.kind}.`,
      file === null ? 'Its key is that of $SESSION_API_KEY.' : `Its key is in ${file}.`,
      'It ends with Ctrl-C; sessions stay for the next start.',
    ])
      app.screen.line(line);
  await end;
  await server.close();
};

/** Off this machine a Host header can be anything, so it is said which ones are meant. */
const namesOf = ({ listen, names }: Options): string[] => {
  const listed = (names ?? '').split(',').map((name) => name.trim());
  const given = listed.filter((name) => name !== '');
  if (given.length > 0 || ['127.0.0.1', '::1', 'localhost'].includes(listen)) return given;
  throw new HcaFault('HcaBadInput', {
    message: `on ${listen} it must be known what clients call this server`,
    field: '--names',
    remedy: 'add --names with host and port as clients write them, like sandbox.example.org:8000',
  });
};

const interrupted = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
