// What the port `sessions` means, for every adapter: owners see their own, one open turn a session, every answer once, no position lost.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Sessions } from '#shared/ports/sessions.ts';
import type { Opened } from './opened.ts';
import { rootId, TENANT } from './samples.ts';
import { followersSuite } from './session-followers.ts';
import { attachment, caller, OTHER, OWNER, request, SESSION, session, turn } from './session-samples.ts';

/** Runs the suite; `open` gives a fresh, empty store. */
export const sessionsSuite = (name: string, open: () => Promise<Opened<'sessions'>>): void => {
  followersSuite(name, open);
  describe(`sessions: ${name}`, () => {
    let house: Opened<'sessions'>;
    let sessions: Sessions;
    beforeEach(async () => {
      house = await open();
      sessions = house.sessions;
    });
    afterEach(() => house.close());

    test('a session is its owner’s: for everybody else it does not exist', async () => {
      await sessions.keep(session(SESSION));
      expect(await sessions.session(OWNER, SESSION)).toEqual(session(SESSION));
      expect(await sessions.session(OTHER, SESSION)).toBeUndefined();
      expect(await sessions.session({ ...OWNER, tenant: 'another' }, SESSION)).toBeUndefined();
      await sessions.remove(OTHER, SESSION);
      expect(await sessions.session(OWNER, SESSION)).toBeDefined();
      await sessions.connect({
        ...OWNER,
        id: 'c1',
        client: 'x',
        reads: true,
        writes: false,
        expires_at: null,
        elicits: false,
        scopes: null,
        opened_at: 1,
      });
      expect(await sessions.connection(OTHER, 'c1')).toBeUndefined();
      expect(await sessions.connection(OWNER, 'c1')).toMatchObject({ client: 'x', reads: true });
    });

    test('sessions are listed newest first, in pages, also of one folder', async () => {
      for (const n of [1, 2, 3, 4]) await sessions.keep(session(rootId(n), { cwd: n % 2 === 0 ? '/even' : '/odd' }));
      const ids = async (page: Parameters<Sessions['list']>[1]) =>
        (await sessions.list(OWNER, page)).map(({ id }) => id);
      expect(await ids({ limit: 3 })).toEqual([rootId(4), rootId(3), rootId(2)]);
      expect(await ids({ limit: 3, before: rootId(2) })).toEqual([rootId(1)]);
      expect(await ids({ limit: 3, cwd: '/even' })).toEqual([rootId(4), rootId(2)]);
      expect(await ids({ limit: 3, cwd: '/nowhere' })).toEqual([]);
      expect(await sessions.list(OTHER, { limit: 3 })).toEqual([]);
    });

    test('a session has one open turn at most, and the next one when that is closed', async () => {
      expect(await sessions.begin(turn(rootId(2)))).toBe(true);
      expect(await sessions.begin(turn(rootId(3)))).toBe(false);
      expect(await sessions.begin(turn(rootId(4), { session: rootId(9) }))).toBe(true);
      expect(await sessions.saveTurn(turn(rootId(2), { open: false, stage: 'over' }))).toBe(true);
      expect(await sessions.begin(turn(rootId(3)))).toBe(true);
      expect((await sessions.unfinished(TENANT, SESSION)).map(({ id }) => id)).toEqual([rootId(3)]);
    });

    test('a turn is saved on the version that was read; its cancel mark is set once and survives a save', async () => {
      await sessions.begin(turn(rootId(2)));
      await sessions.cancelTurn(TENANT, rootId(2), 'request');
      await sessions.cancelTurn(TENANT, rootId(2), 'session');
      expect(await sessions.saveTurn(turn(rootId(2), { stage: 'running', submitted: true }))).toBe(true);
      expect(await sessions.saveTurn(turn(rootId(2), { stage: 'asking' }))).toBe(false);
      const [read] = await sessions.unfinished(TENANT, SESSION);
      expect(read).toMatchObject({ version: 2, stage: 'running', cancel: 'request' });
      expect(await sessions.turnOf(TENANT, caller)).toEqual(read);
      expect(await sessions.turnOf(TENANT, { connection: 'c1', rpc: '7' })).toBeUndefined();
      expect(await sessions.lastSubmitted(TENANT, SESSION)).toEqual(read);
      expect(await sessions.lastSubmitted(TENANT, rootId(9))).toBeUndefined();
    });

    test('a request is asked once and answered once', async () => {
      await sessions.ask(request('r1'));
      await sessions.ask({ ...request('r1'), deadline: 99 });
      expect(await sessions.sent(TENANT, 'r1', { from: null, connection: 'c1' })).toBe(true);
      expect(await sessions.sent(TENANT, 'r1', { from: null, connection: 'c3' })).toBe(false);
      expect(await sessions.sent(TENANT, 'r1', { from: 'c1', connection: 'c2' })).toBe(true);
      expect(await sessions.request(TENANT, 'r1')).toEqual({ ...request('r1'), sent_to: 'c2' });
      expect(await sessions.answer(TENANT, 'r1', { result: { ok: 1 } })).toBe(true);
      expect(await sessions.answer(TENANT, 'r1', { error: 'late' })).toBe(false);
      expect(await sessions.answer(TENANT, 'never', { error: 'x' })).toBe(false);
      const [stored] = await sessions.asked(TENANT, rootId(2));
      expect(stored?.answer).toEqual({ result: { ok: 1 } });
      expect(await sessions.request('another', 'r1')).toBeUndefined();
    });

    test('what is deleted is gone with its turns and requests, and deleting again is the same', async () => {
      await sessions.keep(session(SESSION));
      await sessions.begin(turn(rootId(2)));
      await sessions.ask(request('r1'));
      await sessions.attach(attachment);
      for (const _ of [1, 2]) await sessions.remove(OWNER, SESSION);
      await sessions.disconnect(TENANT, 'c1');
      expect(await sessions.unfinished(TENANT, SESSION)).toEqual([]);
      expect(await sessions.request(TENANT, 'r1')).toBeUndefined();
      expect(await sessions.attachments(TENANT, 'c1')).toEqual([]);
    });

    test('a grant is for one owner and one folder', async () => {
      for (const _ of [1, 2]) await sessions.allow(OWNER, '/w');
      expect(await sessions.allowed(OWNER, '/w')).toBe(true);
      expect(await sessions.allowed(OWNER, '/w/inner')).toBe(false);
      expect(await sessions.allowed(OTHER, '/w')).toBe(false);
      await sessions.disallow(OTHER, '/w');
      expect(await sessions.allowed(OWNER, '/w')).toBe(true);
      for (const _ of [1, 2]) await sessions.disallow(OWNER, '/w');
      expect(await sessions.allowed(OWNER, '/w')).toBe(false);
    });
  });
};
