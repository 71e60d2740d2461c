// The background process of the embedded host: one per home (architecture 9). It takes the home's lock, opens the house, serves the door and
// ends when nothing is open for a while. What it has to say to the command that started it, it says once on file descriptor 3.
import { randomBytes } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { resendSubmitted } from '#functions/acp/step.ts';
import { toFault } from '#shared/contracts/errors.ts';
import { type Host, localDoor, TENANT } from './door.ts';
import { examine } from './health.ts';
import { defaultHome, homeFiles, ownVersion, prepareHome, writeHost } from './home.ts';
import { whenIdle } from './idle.ts';
import { keepHome } from './keep-home.ts';
import { takeLock } from './lock.ts';
import { lossyLog } from './lossy-log.ts';
import { openHouse } from './open-house.ts';
import { startRemote } from './remote-front.ts';
import { REMOTE_OPTIONS, remoteOptions } from './remote-options.ts';
import { report } from './report.ts';
import { homeFront, startServer } from './server.ts';

/** Version of the published text this host implements. */
const SPEC = '0.1.0';

const NAMES = ['home', 'config', 'durable', 'idle-minutes', ...REMOTE_OPTIONS];

const values: Readonly<Record<string, string | undefined>> = parseArgs({
  options: Object.fromEntries(NAMES.map((name) => [name, { type: 'string' as const }])),
}).values;

lossyLog();
await main().catch((error: unknown) => {
  report({ error: toFault(error) });
  console.error(error);
  // Whatever is open already would keep a host alive that nobody reaches.
  process.exit(1);
});

async function main(): Promise<void> {
  const home = values.home ?? defaultHome();
  prepareHome(home);
  const lock = takeLock(homeFiles(home).lock);
  if (lock === undefined) return report({ busy: true });
  const remote = remoteOptions(values);
  const house = await openHouse({
    home,
    durable: values.durable === 'full' ? 'full' : 'normal',
    ...(values.config === undefined ? {} : { config: values.config }),
  });
  const instance = randomBytes(8).toString('hex');
  const token = randomBytes(32).toString('base64url');
  const version = ownVersion();
  const ended = Promise.withResolvers<void>();
  const itself = { host: 'embedded', instance, pid: process.pid, home: realpathSync(home) };
  const identity: Host['identity'] = { version, spec: SPEC, ...itself };
  const local = localDoor(house, {
    identity,
    health: () => examine(home, house.ports),
    stop: () => void setImmediate(ended.resolve),
  });
  const server = await startServer(local, homeFront(token, local.principal));
  const outer = remote === undefined ? undefined : await startRemote(local, remote, token);
  if (outer !== undefined) identity.listens = outer.listens;
  const host = { version, pid: process.pid, port: server.port, instance, token_file: homeFiles(home).token };
  const written = { ...host, started_at: Date.now() };
  writeHost(home, written, token);
  const leave = keepHome(home, { host: written, token, lost: ended.resolve });
  report({ ready: true });
  await resendSubmitted(house.ports, TENANT);
  const minutes = remote === undefined ? idleMinutes() : 0;
  whenIdle({ minutes, ports: house.ports, activity: server.activity, stop: ended.resolve });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => ended.resolve());
  await ended.promise;
  await Promise.all([server.close(), outer?.close()]);
  await house.close();
  leave();
  lock.release();
  process.exit(0);
}

/** Half an hour unless said otherwise; 0 is never. */
function idleMinutes(): number {
  const minutes = Number(values['idle-minutes'] ?? process.env.HCA_IDLE_MINUTES ?? 30);
  return Number.isFinite(minutes) && minutes >= 0 ? minutes : 30;
}
