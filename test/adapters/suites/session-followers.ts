// What the port `sessions` means for connections, for every adapter: who follows what, and that one reader at a time moves a position.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Sessions } from '#shared/ports/sessions.ts';
import type { Opened } from './opened.ts';
import { rootId, TENANT } from './samples.ts';
import { attachment, OTHER, OWNER, SESSION, turn } from './session-samples.ts';

/** Part of the suite of sessions. */
export const followersSuite = (name: string, open: () => Promise<Opened<'sessions'>>): void => {
  describe(`followers of sessions: ${name}`, () => {
    let house: Opened<'sessions'>;
    let sessions: Sessions;
    beforeEach(async () => {
      house = await open();
      sessions = house.sessions;
    });
    afterEach(() => house.close());

    test('a position is moved by one reader at a time', async () => {
      await sessions.attach(attachment);
      const [read] = await sessions.attachments(TENANT, 'c1');
      expect(read).toEqual(attachment);
      const moved = { ...attachment, position: { session: 'e1', tasks: [{ turn: 't', task: 'k', cursor: 'e2' }] } };
      await sessions.move(moved);
      await expect(sessions.move(moved)).rejects.toMatchObject({ code: 'HcaConflict' });
      expect(await sessions.attachments(TENANT, 'c1')).toEqual([{ ...moved, version: 2 }]);
      await sessions.move({ ...moved, version: 2, claimed_until: 99 });
      expect(await sessions.attachments(TENANT, 'c1')).toEqual([{ ...moved, version: 3, claimed_until: 99 }]);
      await sessions.detach(TENANT, 'c1', SESSION);
      expect(await sessions.attachments(TENANT, 'c1')).toEqual([]);
    });

    test('following again begins anew, and whoever read before that cannot move it any more', async () => {
      await sessions.attach(attachment);
      const [before] = await sessions.attachments(TENANT, 'c1');
      if (before === undefined) throw new Error('it is not followed');
      await sessions.move({ ...before, claimed_until: 99 });
      await sessions.attach({ ...attachment, position: { session: 'e5', tasks: [] } });
      await expect(sessions.move({ ...before, version: before.version + 1 })).rejects.toMatchObject({
        code: 'HcaConflict',
      });
      const [now] = await sessions.attachments(TENANT, 'c1');
      expect(now).toMatchObject({ claimed_until: 0, position: { session: 'e5' } });
      if (now === undefined) throw new Error('it is not followed');
      await sessions.move(now);
    });

    test('a session knows who follows it, and a task which turn it belongs to', async () => {
      const client = {
        client: 'x',
        reads: false,
        writes: false,
        elicits: false,
        expires_at: null,
        scopes: null,
        opened_at: 1,
      };
      await sessions.connect({ ...OWNER, id: 'c1', ...client });
      await sessions.connect({ ...OTHER, id: 'c2', ...client });
      await sessions.attach(attachment);
      await sessions.attach({ ...attachment, connection: 'c2' });
      await sessions.attach({ ...attachment, session: rootId(9), connection: 'c2' });
      const ids = async () => (await sessions.followers(TENANT, SESSION)).map(({ id }) => id);
      expect(await ids()).toEqual(['c1', 'c2']);
      await sessions.disconnect(TENANT, 'c1');
      expect(await ids()).toEqual(['c2']);
      expect(await sessions.followers('another', SESSION)).toEqual([]);
      await sessions.begin(turn(rootId(2), { task: rootId(5) }));
      expect(await sessions.turnOfTask(TENANT, rootId(5))).toMatchObject({ id: rootId(2), session: SESSION });
      expect(await sessions.turnOfTask(TENANT, rootId(6))).toBeUndefined();
    });
  });
};
