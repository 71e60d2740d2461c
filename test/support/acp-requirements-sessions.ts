// Requirements of ACP v1 about sessions: load, resume, list, delete, close, modes and options.
import { expect } from 'vitest';
import type { TestClient } from './acp.ts';
import { barrier, cancelled, hello, isUpdate, type Requirement, started, where } from './acp-setting.ts';

export const SESSIONS: Requirement[] = [
  {
    ids: ['LOAD-001', 'LOAD-002', 'LOAD-003'],
    level: 'C',
    run: async (setting) => {
      const { client, sessionId } = await started(setting);
      await client.prompt(sessionId, 'take the turn');
      const again = await hello(setting);
      const answer = await again.ask('session/load', { sessionId, ...where });
      await barrier(again);
      expect(answer.result).toBeTypeOf('object');
      // What was spent in between is of the moment; at the end both are told the same.
      const seen = client.updates().filter(({ sessionUpdate }) => sessionUpdate !== 'usage_update');
      const replayed = again.updates().filter(({ sessionUpdate }) => sessionUpdate !== 'usage_update');
      expect(again.updates('usage_update')).toEqual([client.updates('usage_update').at(-1)]);
      expect(replayed.filter(({ sessionUpdate }) => sessionUpdate !== 'user_message_chunk')).toEqual(seen);
      expect(again.updates('user_message_chunk').map(({ content }) => content.text)).toEqual(['take the turn']);
      expect(again.sent.slice(again.sent.indexOf(answer)).filter(isUpdate)).toEqual([]);
    },
  },
  {
    ids: ['RESUME-001', 'RESUME-002'],
    level: 'C',
    run: async (setting) => {
      const { client, sessionId } = await started(setting);
      await client.prompt(sessionId, 'take the turn');
      const again = await hello(setting);
      expect((await again.ask('session/resume', { sessionId, ...where })).error).toBeUndefined();
      await barrier(again);
      expect(again.updates()).toEqual([]);
      expect((await again.prompt(sessionId, 'take the left')).result).toEqual({ stopReason: 'end_turn' });
    },
  },
  {
    ids: ['LIST-001', 'LIST-002'],
    level: 'C',
    run: async (setting) => {
      const client = await hello(setting);
      const sessionId = await client.newSession('/here');
      const { result } = await client.ask('session/list', { cwd: '/here' });
      expect(result.sessions).toMatchObject([{ sessionId, cwd: '/here' }]);
      expect((await client.ask('session/list', { cwd: '/nowhere' })).result.sessions).toEqual([]);
    },
  },
  {
    ids: ['DELETE-001', 'DELETE-002'],
    level: 'C',
    run: async (setting) => {
      const client = await hello(setting);
      const sessionId = await client.newSession();
      for (const _ of [1, 2]) expect((await client.ask('session/delete', { sessionId })).result).toEqual({});
      expect((await client.ask('session/load', { sessionId, ...where })).error?.code).toBe(-32002);
      expect((await client.ask('session/list', {})).result.sessions).toEqual([]);
    },
  },
  {
    ids: ['CLOSE-001', 'CLOSE-002'],
    level: 'C',
    run: async (setting) => {
      const stop = (client: TestClient, sessionId: string) => client.ask('session/close', { sessionId });
      const { client, sessionId, answer } = await cancelled(setting, stop);
      expect(answer.result).toEqual({ stopReason: 'cancelled' });
      expect((await client.ask('session/close', { sessionId })).result).toEqual({});
    },
  },
  {
    ids: ['MODES-001', 'MODES-002', 'CONFIG-001', 'CONFIG-002', 'CONFIG-003'],
    level: 'M',
    run: async (setting) => {
      const client = await hello(setting);
      const { result } = await client.ask('session/new', where);
      const { sessionId, modes, configOptions } = result;
      expect(modes.availableModes.map(({ id }: { id: string }) => id)).toContain(modes.currentModeId);
      for (const { type, currentValue, options } of configOptions) {
        expect(type).toBe('select');
        expect(options.map(({ value }: { value: string }) => value)).toContain(currentValue);
      }
      expect((await client.ask('session/set_mode', { sessionId, modeId: 'always' })).result).toEqual({});
      const set = await client.ask('session/set_config_option', { sessionId, configId: 'budget', value: 'small' });
      const values = Object.fromEntries(
        set.result.configOptions.map((o: { id: string; currentValue: string }) => [o.id, o.currentValue]),
      );
      expect(values).toEqual({ approval: 'always', answer: 'done', budget: 'small', effort: 'standard' });
      expect((await client.ask('session/set_mode', { sessionId, modeId: 'made up' })).error?.code).toBe(-32602);
      expect(client.updates('current_mode_update')[0]?.currentModeId).toBe('always');
    },
  },
];
