// `hca up`: starts the host of the home, for this person alone or, with tokens of an issuer, for others too.
import path from 'node:path';
import * as z from 'zod';
import type { Pong } from '#shared/contracts/acp-host.ts';
import { EXIT, HcaFault } from '#shared/contracts/errors.ts';
import type { App } from '../app.ts';
import { connect } from '../connect.ts';
import { type CommandSpec, readOptions } from '../define.ts';
import { plain } from '../screen.ts';

/** Options that the host itself reads, checks and explains. */
const Options = z.object({
  config: z.string().optional(),
  listen: z.string().optional(),
  issuer: z.string().optional(),
  audience: z.string().optional(),
  tenant: z.string().optional(),
  tenantClaim: z.string().optional(),
  scopePrefix: z.string().optional(),
  clientId: z.string().optional(),
  tlsCert: z.string().optional(),
  tlsKey: z.string().optional(),
  host: z.string().optional(),
  allowOrigin: z.string().optional(),
  folders: z.string().optional(),
});
type Options = z.infer<typeof Options>;

export const up: CommandSpec = {
  name: 'up',
  args: [],
  summary: 'start the host, or say which one runs',
  options: [
    { flags: '--config <file>', text: 'the holarchy file of a host that is started' },
    { flags: '--listen <address>', text: 'where others reach it, for example 0.0.0.0:8443' },
    { flags: '--issuer <url>', text: 'whose tokens (JWT) let them in' },
    { flags: '--audience <name>', text: 'whom those tokens are for' },
    { flags: '--tenant <name>', text: 'the tenant of this host, as the tokens name it (default: local)' },
    { flags: '--tenant-claim <claim>', text: 'where they name it (default: tenant)' },
    { flags: '--scope-prefix <text>', text: 'what stands before our scopes in them, for example hca/' },
    { flags: '--client-id <id>', text: 'what the issuer calls "hca login"' },
    { flags: '--host <names>', text: 'what others call this host, with commas between' },
    { flags: '--allow-origin <origins>', text: 'pages of other hosts that may ask, with commas between' },
    { flags: '--folders <folders>', text: 'below which work may be done for others, with commas between' },
    { flags: '--tls-cert <file>', text: 'certificate (PEM); without one only behind a proxy that has one' },
    { flags: '--tls-key <file>', text: 'its key (PEM)' },
  ],
  examples: [
    'hca up',
    'hca up --home /tmp/try --json',
    'hca up --listen 0.0.0.0:8443 --host hca.example.org --issuer https://login.example.org --audience hca --folders /srv/projects --tls-cert cert.pem --tls-key key.pem',
  ],
  run: async (app, given) => {
    const options = readOptions(Options, given);
    const pong = await pongOf(app, options);
    if (options.listen !== undefined && pong.listens === undefined) throw runsAlready(pong);
    app.answer(pong, () => [
      `hca ${pong.version} runs as process ${pong.pid}${pong.home === undefined ? '' : ` in ${pong.home}`}, ${pong.open} open tasks`,
      ...(pong.listens === undefined ? [] : [`Others reach it at ${plain(pong.listens)}`]),
    ]);
    return EXIT.accepted;
  },
};

/** A host elsewhere is only asked; nobody can start it from here. */
const pongOf = async (app: App, options: Options): Promise<Pong> => {
  if (app.endpoint !== undefined) return (await app.door()).call('_hca/ping', {});
  return (await connect(app.home, { host: hostOptions(options, app.cwd) })).pong;
};

const FILES: ReadonlySet<string> = new Set(['config', 'tlsCert', 'tlsKey']);

/** The host has its home for a folder: names of files are meant from here. */
const hostOptions = (options: Options, cwd: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(options)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [dashed(name), FILES.has(name) ? path.resolve(cwd, value) : value]),
  );

const dashed = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

const runsAlready = ({ pid }: Pong): HcaFault =>
  new HcaFault('HcaRefused', {
    message: `the host runs already (process ${pid}), for this person alone`,
    field: '--listen',
    remedy: 'hca down, then the same again: open tasks go on',
  });
