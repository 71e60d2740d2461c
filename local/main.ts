// The background process of the embedded host: one per home (architecture 9). It takes the home's lock, opens the house, serves the door and
// ends when nothing is open for a while. What it has to say to the command that started it, it says once on file descriptor 3.
import { randomBytes } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { resendSubmitted } from '#functions/acp/step.ts';
import { toFault } from '#shared/contracts/errors.ts';
import { localDoor, TENANT } from './door.ts';
import { homeGate } from './gate.ts';
import { examine } from './health.ts';
import { defaultHome, homeFiles, ownVersion, prepareHome, writeHost } from './home.ts';
import { whenIdle } from './idle.ts';
import { keepHome } from './keep-home.ts';
import { takeLock } from './lock.ts';
import { lossyLog } from './lossy-log.ts';
import { openHouse } from './open-house.ts';
import { report } from './report.ts';
import { startServer } from './server.ts';

/** Version of the published text this host implements. */
const SPEC = '0.1.0';

const { values } = parseArgs({
  options: {
    home: { type: 'string' },
    config: { type: 'string' },
    durable: { type: 'string' },
    'idle-minutes': { type: 'string' },
  },
});

lossyLog();
await main().catch((error: unknown) => {
  report({ error: toFault(error) });
  console.error(error);
  process.exitCode = 1;
});

async function main(): Promise<void> {
  const home = values.home ?? defaultHome();
  prepareHome(home);
  const lock = takeLock(homeFiles(home).lock);
  if (lock === undefined) return report({ busy: true });
  const house = await openHouse({
    home,
    durable: values.durable === 'full' ? 'full' : 'normal',
    ...(values.config === undefined ? {} : { config: values.config }),
  });
  const instance = randomBytes(8).toString('hex');
  const token = randomBytes(32).toString('base64url');
  const version = ownVersion();
  const ended = Promise.withResolvers<void>();
  const local = localDoor(house, {
    identity: { version, spec: SPEC, host: 'embedded', instance, pid: process.pid, home: realpathSync(home) },
    health: () => examine(home, house.ports),
    stop: () => void setImmediate(ended.resolve),
  });
  const server = await startServer(local, {
    host: '127.0.0.1',
    port: 0,
    gate: (port) => homeGate(token, local.principal, port),
  });
  const host = { version, pid: process.pid, port: server.port, instance, token_file: homeFiles(home).token };
  const about = { ...host, started_at: Date.now() };
  writeHost(home, about, token);
  const leave = keepHome(home, { host: about, token, lost: ended.resolve });
  report({ ready: true });
  await resendSubmitted(house.ports, TENANT);
  whenIdle({ minutes: idleMinutes(), ports: house.ports, activity: server.activity, stop: ended.resolve });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => ended.resolve());
  await ended.promise;
  await server.close();
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
