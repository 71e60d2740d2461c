// When a host may end by itself: nothing open, nobody connected, nothing asked for a while; and how one home gets one host.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { defaultHome } from '#local/home.ts';
import { isIdle } from '#local/idle.ts';
import { takeLock } from '#local/lock.ts';
import { testDoor } from '#test/support/door.ts';

const SPAN = 60_000;

it('is idle only without a task, a connection and a request', async () => {
  const at = await testDoor({ started: false });
  const { ports } = at.house;
  const long = Date.now() - 2 * SPAN;
  const look = (sockets: number, last: number) => isIdle({ ports, activity: () => ({ sockets, last }) }, SPAN);
  expect(await look(0, long)).toBe(true);
  expect(await look(1, long)).toBe(false);
  expect(await look(0, Date.now())).toBe(false);
  await at.ask('_hca/task/submit', { goal: 'take the turn', workspace: '/w' });
  expect(await look(0, long)).toBe(false);
  await at.close();
});

it('gives the lock to one holder at a time, and again when it was let go', () => {
  const top = mkdtempSync(path.join(os.tmpdir(), 'hca-lock-'));
  const file = path.join(top, 'host.lock');
  const first = takeLock(file);
  expect(first).toBeDefined();
  expect(takeLock(file)).toBeUndefined();
  first?.release();
  const second = takeLock(file);
  expect(second).toBeDefined();
  second?.release();
  rmSync(top, { recursive: true, force: true });
});

it('finds the home where the system keeps a person’s data', () => {
  expect(defaultHome({ HCA_HOME: '/x/y' }, 'linux')).toBe('/x/y');
  expect(defaultHome({ XDG_DATA_HOME: '/data' }, 'linux')).toBe('/data/hca');
  expect(defaultHome({}, 'darwin')).toBe(path.join(os.homedir(), 'Library', 'Application Support', 'hca'));
});
