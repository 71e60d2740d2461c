// The v1 requirements of the ACP test kit, as tests of our own on any transport: M is mandatory, C holds where it is advertised, A is advice.
// Ids about things we do not advertise prove that we do not.
import { expect } from 'vitest';
import { TestClient } from './acp.ts';
import { SESSIONS } from './acp-requirements-sessions.ts';
import { barrier, cancelled, hello, initialize, isUpdate, type Requirement, started, where } from './acp-setting.ts';

const basics: Requirement[] = [
  {
    ids: ['INIT-001', 'INIT-002', 'INIT-004', 'SCHEMA-001', 'SCHEMA-002'],
    level: 'M',
    run: async (setting) => {
      const { result } = await initialize(setting, 1);
      expect(result).toMatchObject({ protocolVersion: 1, agentInfo: { name: 'hca' } });
    },
  },
  {
    ids: ['INIT-003'],
    level: 'M',
    run: async (setting) => {
      for (const asked of [0, 2, 65_535]) expect((await initialize(setting, asked)).result.protocolVersion).toBe(1);
    },
  },
  {
    ids: ['SESSION-001', 'SESSION-002'],
    level: 'M',
    run: async (setting) => {
      const client = await hello(setting);
      const [one, two] = [await client.newSession(), await client.newSession()];
      expect(one).not.toBe('');
      expect(one).not.toBe(two);
    },
  },
  {
    ids: ['PROMPT-001', 'PROMPT-002', 'PROMPT-003'],
    level: 'M',
    run: async (setting) => {
      const { client, sessionId } = await started(setting);
      const link = { type: 'resource_link', uri: 'file:///w/a.txt', name: 'a.txt' };
      const prompt = [{ type: 'text', text: 'take the turn' }, link];
      const { result } = await client.ask('session/prompt', { sessionId, prompt });
      expect(result).toEqual({ stopReason: 'end_turn' });
      expect(client.sent.filter(isUpdate).every(({ params }) => params?.sessionId === sessionId)).toBe(true);
      expect(client.updates('plan').length).toBeGreaterThan(1);
    },
  },
  {
    ids: ['CANCEL-001', 'CANCEL-002'],
    level: 'M',
    run: async (setting) => {
      const stop = (client: TestClient, sessionId: string) => client.notify('session/cancel', { sessionId });
      const { client, answer } = await cancelled(setting, stop);
      expect(answer.result).toEqual({ stopReason: 'cancelled' });
      await setting.at.house.idle();
      await barrier(client);
      expect(client.sent.slice(client.sent.indexOf(answer)).filter(isUpdate)).toEqual([]);
    },
  },
];

const edges: Requirement[] = [
  {
    ids: ['ADDDIRS-001', 'PROMPTCAP-001', 'PROMPTCAP-002', 'PROMPTCAP-003', 'AUTH-003', 'AUTH-004', 'AUTH-005'],
    level: 'C',
    run: async (setting) => {
      const { agentCapabilities, authMethods } = (await initialize(setting, 1)).result;
      expect(agentCapabilities.promptCapabilities).toEqual({ image: false, audio: false, embeddedContext: false });
      expect(agentCapabilities.sessionCapabilities).toEqual({ list: {}, resume: {}, close: {}, delete: {} });
      expect(agentCapabilities.auth).toBeUndefined();
      expect(authMethods.every(({ type }: { type?: string }) => type === undefined)).toBe(true);
    },
  },
  {
    ids: ['AUTH-001', 'AUTH-002'],
    level: 'M',
    run: async (setting) => {
      const client = new TestClient(await setting.connect());
      const { authMethods } = (await client.hello()).result;
      const ids = authMethods.map(({ id }: { id: string }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      expect((await client.ask('authenticate', { methodId: ids[0] })).result).toEqual({});
      expect((await client.ask('authenticate', { methodId: 'made up' })).error?.code).toBe(-32602);
      expect(await client.newSession()).not.toBe('');
    },
  },
  {
    ids: ['CLIENTCAP-001', 'CLIENTCAP-002', 'CLIENTCAP-003'],
    level: 'M',
    run: async (setting) => {
      const { client, sessionId } = await started(setting);
      await client.prompt(sessionId, 'take the turn and take the left');
      const methods = new Set(client.sent.flatMap(({ method }) => (method === undefined ? [] : [method])));
      methods.delete('session/request_permission');
      expect([...methods]).toEqual(['session/update']);
    },
  },
  {
    ids: ['EXT-001', 'META-001'],
    level: 'M',
    run: async (setting) => {
      const client = await hello(setting);
      expect((await client.ask('_made/up', {})).error?.code).toBe(-32601);
      expect(
        (await client.ask('session/new', { ...where, _meta: { traceparent: 'x', more: { deep: 1 } } })).error,
      ).toBeUndefined();
      expect((await client.ask('_hca/ping', {})).result).toMatchObject({ spec: '0.1.0' });
    },
  },
  {
    ids: ['JSONRPC-001', 'JSONRPC-002', 'JSONRPC-003', 'JSONRPC-004', 'ERROR-001'],
    level: 'M',
    run: async (setting) => {
      const client = await hello(setting);
      await client.wire.send({ jsonrpc: '2.0', id: 'a text', method: 'session/list', params: {} });
      const answer = await client.wire.until(({ id }) => id === 'a text');
      expect('result' in answer !== 'error' in answer).toBe(true);
      const before = client.sent.length;
      await client.notify('made/up', {});
      await client.notify('session/cancel', { sessionId: 'made up' });
      await client.wire.send({ jsonrpc: '2.0', id: 'never asked', result: {} });
      await barrier(client);
      expect(client.sent).toHaveLength(before + 1);
      const wrong = await client.ask('made/up', {});
      expect(wrong.error).toMatchObject({ code: -32601, message: 'there is no method made/up' });
      expect((await client.ask('session/prompt', { sessionId: 7 })).error?.message.length).toBeLessThan(200);
    },
  },
];

export const REQUIREMENTS: readonly Requirement[] = [...basics, ...SESSIONS, ...edges];

/** Every id of the kit that is about frames; those about the process (stdout, end of stdin) are tests of `hca acp`. */
export const IDS = [
  ...['INIT-001', 'INIT-002', 'INIT-003', 'INIT-004', 'SCHEMA-001', 'SCHEMA-002', 'SESSION-001', 'SESSION-002'],
  ...['PROMPT-001', 'PROMPT-002', 'PROMPT-003', 'CANCEL-001', 'CANCEL-002', 'LOAD-001', 'LOAD-002', 'LOAD-003'],
  ...['RESUME-001', 'RESUME-002', 'LIST-001', 'LIST-002', 'DELETE-001', 'DELETE-002', 'CLOSE-001', 'CLOSE-002'],
  ...['ADDDIRS-001', 'MODES-001', 'MODES-002', 'CONFIG-001', 'CONFIG-002', 'CONFIG-003', 'PROMPTCAP-001'],
  ...['PROMPTCAP-002', 'PROMPTCAP-003', 'AUTH-001', 'AUTH-002', 'AUTH-003', 'AUTH-004', 'AUTH-005', 'CLIENTCAP-001'],
  ...['CLIENTCAP-002', 'CLIENTCAP-003', 'EXT-001', 'META-001', 'JSONRPC-001', 'JSONRPC-002', 'JSONRPC-003'],
  ...['JSONRPC-004', 'ERROR-001'],
];
