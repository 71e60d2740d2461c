// One ACP frame as a function would handle it: stores and door, no runner, no sandbox. Arguments: folder, connection; the frame comes on stdin.
import { text } from 'node:stream/consumers';
import { type DoorPorts, pump, receive } from '#functions/acp/step.ts';
import { localPorts } from '#shared/adapters/local/ports.ts';
import { readFrame } from '#shared/protocols/acp/frame.ts';
import { noOpHolarchy, noOpOutside } from '#test/support/no-op-house.ts';

const [folder = ':memory:', connection = 'one'] = process.argv.slice(2);
const storage = localPorts({ folder });
await storage.holons.seed('local', noOpHolarchy);
const never = () => Promise.reject(new Error('a frame starts nothing'));
const { profiles, workspaces } = noOpOutside(() => '');
const workflows = { start: never, succeed: never, fail: never, stop: never, describe: never };
const history = { events: never, link: () => null };
const door: DoorPorts = {
  ports: { ...storage, profiles, workspaces, workflows, history },
  preview: never,
  store: { missing: never, putBlob: never, uploads: never, putTree: never },
  host: {
    identity: { version: '0', spec: '0.1.0', host: 'bench', instance: 'one', pid: process.pid, home: folder },
    dead: { list: never, redrive: never },
    health: never,
    gc: never,
    stop: () => undefined,
  },
};
const peer = {
  connection,
  principal: { tenant: 'local', subject: 'owner', scopes: ['read' as const, 'submit' as const] },
  door,
  send: async (frame: object) => void process.stdout.write(`${JSON.stringify(frame)}\n`),
};
await receive(readFrame(await text(process.stdin)), peer);
await pump(peer);
await storage.close();
