// One ACP frame in a process of its own: opens the house in a folder, handles the frame on stdin, lets the house come to rest, sends what the
// connection is owed, and ends. Arguments: folder, connection. Every frame sent is a line on stdout.
import { text } from 'node:stream/consumers';
import { type Peer, pump, receive } from '#functions/acp/step.ts';
import { readFrame } from '#shared/protocols/acp/frame.ts';
import { changingDoor } from './changing-door.ts';
import { OWNER } from './door.ts';

const [folder, connection = ''] = process.argv.slice(2);
const { at } = await changingDoor({ ...(folder === undefined ? {} : { folder }) });
const peer: Peer = {
  connection,
  principal: OWNER,
  door: at.door,
  send: async (frame) => void process.stdout.write(`${JSON.stringify(frame)}\n`),
};
await receive(readFrame(await text(process.stdin)), peer);
await pump(peer);
await at.house.idle();
await pump(peer);
await at.close();
