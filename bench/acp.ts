// The northbound door under load: the first update after a prompt, an entry on its way to a hundred watchers, idle sockets, prompts at once, and one
// frame in a process of its own.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { happened } from '#functions/acp/session/events.ts';
import { TestClient } from '#test/support/acp.ts';
import { openStream, serve, wireOf } from '#test/support/acp-wires.ts';
import { type TestDoor, testDoor } from '#test/support/door.ts';
import { inFolder } from './folder.ts';
import { residentOf, runScript, startBundle } from './host-process.ts';
import type { Figure } from './table.ts';

const WATCHERS = 100;
const PROMPTS = 50;
const ENTRIES = 50;
const FRAMES = 9;
const SOCKETS = 200;

export const measure = async (): Promise<Figure[]> => {
  const at = await testDoor();
  const server = await serve(at);
  const open = async (): Promise<TestClient> => {
    const client = new TestClient(wireOf(openStream('websocket', server.port).stream));
    await client.hello();
    return client;
  };
  const figures = [await firstUpdate(open), await watchers(at, open), await promptsAtOnce(open)];
  await server.close();
  await at.close();
  return [...figures, await idleSockets(), await freshProcess()];
};

type Open = () => Promise<TestClient>;

const firstUpdate = async (open: Open): Promise<Figure> => {
  const client = await open();
  const times: number[] = [];
  for (let run = 0; run < 20; run += 1) {
    const sessionId = await client.newSession();
    const before = client.sent.length;
    const began = performance.now();
    const id = await client.beginPrompt(sessionId, 'take the turn');
    await client.wire.until(
      (frame) => client.sent.indexOf(frame) >= before && frame.params?.update?.title !== undefined,
    );
    times.push(performance.now() - began);
    await client.answerTo(id);
  }
  return { name: 'prompt to its first update', unit: 'ms', times, target: '≤ 50' };
};

/** Everybody follows one session; what is measured is the slowest 1 % of all deliveries, once for each entry. */
const watchers = async (at: TestDoor, open: Open): Promise<Figure> => {
  const first = await open();
  const sessionId = await first.newSession();
  const clients = await Promise.all(Array.from({ length: WATCHERS }, open));
  for (const client of clients) await client.ask('session/resume', { sessionId, cwd: '/w', mcpServers: [] });
  const times: number[] = [];
  for (let entry = 0; entry < ENTRIES; entry += 1) {
    const title = `entry ${entry}`;
    const began = performance.now();
    const key = { tenant: 'local', session: sessionId, key: title };
    await happened(at.house.ports, key, { event: 'notice', severity: 'info', title, text: '' });
    const took = await Promise.all(
      clients.map(async (client) => {
        await client.wire.until(({ params }) => params?.update?.title === title);
        return performance.now() - began;
      }),
    );
    times.push(took.toSorted((a, b) => a - b)[Math.ceil(WATCHERS * 0.99) - 1] ?? 0);
  }
  return { name: `entry to ${WATCHERS} watchers, 99th percentile`, unit: 'ms', times, target: '≤ 100' };
};

const promptsAtOnce = async (open: Open): Promise<Figure> => {
  const client = await open();
  const sessions = await Promise.all(Array.from({ length: PROMPTS }, () => client.newSession()));
  const began = performance.now();
  const answers = await Promise.all(sessions.map((session) => client.prompt(session, 'take the turn')));
  if (answers.some(({ result }) => result?.stopReason !== 'end_turn')) throw new Error('a prompt was not answered');
  return { name: `${PROMPTS} prompts at once, all answered`, unit: 'ms', times: [performance.now() - began] };
};

/** The host as installed, with sessions that nobody uses. */
const idleSockets = (): Promise<Figure> =>
  inFolder(async (folder) => {
    const home = path.join(folder, 'home');
    await startBundle(home, path.join(folder, 'cache'));
    const { port } = JSON.parse(readFileSync(path.join(home, 'host.json'), 'utf8'));
    const token = readFileSync(path.join(home, 'token'), 'utf8');
    for (let socket = 0; socket < SOCKETS; socket += 1) {
      const client = new TestClient(wireOf(openStream('websocket', port, token).stream));
      await client.hello();
      await client.newSession();
    }
    const held = residentOf(home);
    await runScript('cli/main.ts', ['down', '--home', home]);
    return { name: `host with ${SOCKETS} idle WebSocket sessions`, unit: 'MB', times: [held], target: '≤ 200' };
  });

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** From starting the process to its end, the stores opened on a home that is there. */
const freshProcess = (): Promise<Figure> =>
  inFolder(async (folder) => {
    const outfile = path.join(ROOT, '.reports', 'one-frame.mjs');
    const banner = {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    };
    const entry = path.join(ROOT, 'bench/acp-frame.ts');
    await build({ entryPoints: [entry], outfile, banner, bundle: true, minify: true, platform: 'node', format: 'esm' });
    const times: number[] = [];
    for (let run = 0; run <= FRAMES; run += 1) {
      const input = JSON.stringify({ jsonrpc: '2.0', id: run, method: 'initialize', params: { protocolVersion: 1 } });
      const began = performance.now();
      const { status } = spawnSync(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', outfile, folder, 'one'],
        {
          input,
          env: { ...process.env, NODE_COMPILE_CACHE: path.join(folder, 'cache') },
        },
      );
      if (status !== 0) throw new Error('the frame was not handled');
      if (run > 0) times.push(performance.now() - began);
    }
    return { name: 'one frame in a fresh process, bundled', unit: 'ms', times, target: '≤ 150' };
  });
