// One house with the real sandbox in a process of its own, which asks to be killed at its n-th tool or sandbox call and goes on.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { submit, TENANT, taskOf } from '#test/support/submit.ts';
import type { Hook } from './intercept.ts';
import { openRealHouse } from './real-house.ts';

/** What is said when the task is over: its state, and every file of the change it made. */
export interface SandboxReport {
  state: string;
  files: { path: string; text: string }[];
}

const [moment = '0', home = ''] = process.argv.slice(2);
let calls = 0;
const count: Hook = (call) => {
  const isIt = call.name === 'tools.call' || call.name.startsWith('sandbox.');
  if (isIt) calls += 1;
  if (isIt && calls === Number(moment)) process.send?.('now');
  return call.run();
};

const house = await openRealHouse(home, count);
const note = path.join(home, 'root');
const workspace = path.join(home, 'original');
if (!existsSync(note)) {
  mkdirSync(workspace, { recursive: true });
  writeFileSync(path.join(workspace, 'turn.txt'), 'zero\n');
  const tree = await house.take(workspace);
  writeFileSync(
    note,
    await submit(house, { goal: 'take the turn', to: 'turner', workspace: { root: workspace, tree } }),
  );
}
const root = readFileSync(note, 'utf8');
house.start();
await house.idle();
const { state, artifact } = await taskOf(house, root);
const bytes =
  artifact === null ? '{"files":[]}' : await house.ports.artifacts.bytes(TENANT, artifact.id, artifact.version);
const { files } = JSON.parse(Buffer.from(bytes).toString('utf8')) as { files: { path: string; after: unknown }[] };
process.send?.({ state, files: files.map((file) => ({ path: file.path, text: JSON.stringify(file.after) })) });
await house.close();
process.disconnect();
