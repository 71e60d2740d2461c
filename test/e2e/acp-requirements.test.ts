// The v1 requirement list over stdio, WebSocket and HTTP, carried by the official SDK's streams.
import { describe, it, onTestFinished } from 'vitest';
import { REQUIREMENTS } from '#test/support/acp-requirements.ts';
import { openStream, serve, type Transport, wireOf } from '#test/support/acp-wires.ts';
import { testDoor } from '#test/support/door.ts';

describe.each<Transport>(['stdio', 'websocket', 'http'])('over %s', (transport) => {
  it.each(REQUIREMENTS.map(({ ids, level, run }) => ({ name: `${ids.join(' ')} ${level}`, run })))(
    '$name',
    async ({ run }) => {
      const at = await testDoor({ started: false });
      const server = await serve(at);
      const ends: (() => Promise<void>)[] = [];
      onTestFinished(async () => {
        for (const end of ends) await end();
        await server.close();
        await at.close();
      });
      const connect = async () => {
        const { stream, end } = openStream(transport, server.port);
        ends.push(end);
        return wireOf(stream);
      };
      await run({ at, connect });
    },
  );
});
