// Servers that whoever started them stops when nobody uses them: a command that is waited for is use, and one server that has gone hides no other.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { oneServer } from '#shared/adapters/open/openhands/one-server.ts';
import { runRemote } from '#shared/adapters/open/openhands/remote-scripting.ts';
import { AgentServerClient } from '#shared/adapters/open/openhands/server-client.ts';
import { remoteFolders } from '#shared/adapters/open/openhands/session-record.ts';
import { OpenHandsSandbox } from '#shared/adapters/open/openhands-sandbox.ts';
import { KEY, served } from './served-sandbox.ts';

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

/** A server whose one command ends when somebody has asked it for something that it counts as use. */
async function waiting(exit_code = 0): Promise<string> {
  let used = false;
  const pieces = () => (used ? [{ kind: 'BashOutput', order: 0, exit_code, stdout: 'x' }] : []);
  const answer = ({ url = '' }: IncomingMessage): object => {
    used ||= url.startsWith('/api/file/');
    return url.includes('/search') ? { items: pieces() } : { id: 'c' };
  };
  const server = createServer((request, response) => response.end(JSON.stringify(answer(request))));
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}

describe('a server that is stopped when it is idle', () => {
  it('sees use in a command that is waited for, which asking after its output is not', async () => {
    const client = new AgentServerClient({ url: await waiting(), key: KEY }, 10);
    expect(await client.shell('true', { cwd: '/x', timeout_ms: 20_000 })).toMatchObject({ exit_code: 0, stdout: 'x' });
  });

  it('counts as an agent-server does: to look is no use', async () => {
    const { server } = await served(false, { a: '' });
    const headers = { 'X-Session-API-Key': KEY };
    const idle = async (): Promise<unknown> =>
      Object(await (await fetch(`${server.url}/server_info`)).json()).idle_time;
    const asks = async (path: string): Promise<unknown> => {
      await (await fetch(server.url + path, { headers })).text();
      return idle();
    };
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 90_000 });
    expect(await asks('/api/file/home')).toBeGreaterThan(80);
    expect(await asks('/api/bash/bash_events/search')).toBeGreaterThan(80);
    expect(await asks(`/api/file/download?path=${server.home}/s/none`)).toBe(0);
    vi.useRealTimers();
  });

  it('and ends our own script with a signal is one that may be tried again', async () => {
    const client = new AgentServerClient({ url: await waiting(-15), key: KEY }, 0);
    const place = { client, folders: remoteFolders('/home/x', 's') };
    await expect(runRemote(place, 'true')).rejects.toMatchObject({ name: 'HcaUnavailable', retryable: true });
  });

  it('and does not answer any more keeps nobody from sweeping the others', async () => {
    const { open, server, workspaces } = await served(false, { a: '' });
    await open('s1');
    const here = { url: server.url, key: KEY };
    const away = { url: 'http://127.0.0.1:9', key: KEY };
    const many = new OpenHandsSandbox({ ...oneServer(here), all: async () => [away, here] }, workspaces);
    expect(await many.sweep(new Set())).toEqual(['s1']);
    const none = new OpenHandsSandbox(oneServer(away), workspaces);
    await expect(none.sweep(new Set())).rejects.toMatchObject({ name: 'HcaUnavailable', retryable: true });
  });
});
