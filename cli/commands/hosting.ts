// Commands about a host that runs: down, doctor, gc, dead-letters.
import * as z from 'zod';
import type { DeadLetterRow, HealthCheck } from '#shared/contracts/acp-host.ts';
import { EXIT } from '#shared/contracts/errors.ts';
import { gone } from '../connect.ts';
import { type CommandSpec, readOptions } from '../define.ts';
import { moment, table } from '../format.ts';
import { plain, type Screen } from '../screen.ts';

export const down: CommandSpec = {
  name: 'down',
  args: [],
  summary: 'end the host; open tasks go on when it starts again',
  options: [],
  examples: ['hca down'],
  run: async (app) => {
    const running = await app.running();
    if (running === undefined) {
      app.answer({ pid: null, open: 0 }, () => [`No host runs in ${app.home}.`]);
      return EXIT.accepted;
    }
    const answer = await running.door.call('_hca/down', {});
    if (app.endpoint === undefined) await gone(answer.pid);
    const rest = answer.open === 0 ? '.' : `; ${answer.open} open tasks go on when it starts again (hca up).`;
    app.answer(answer, () => [`The host has ended${rest}`]);
    return EXIT.accepted;
  },
};

export const doctor: CommandSpec = {
  name: 'doctor',
  args: [],
  summary: 'check node, home, database, disk, holarchy, harness packages and sandbox',
  options: [],
  examples: ['hca doctor', 'hca doctor --json'],
  run: async (app) => {
    const { checks } = await (await app.door()).call('_hca/doctor', {});
    const exit = checks.some((check) => check.status === 'fail') ? EXIT.internal : EXIT.accepted;
    app.answer({ exit, checks }, () => checks.flatMap((check) => checkLines(check, app.screen)));
    return exit;
  },
};

const COLOURS = { ok: 'green', warn: 'yellow', fail: 'red' } as const;

const checkLines = (check: HealthCheck, screen: Screen): string[] => {
  const line = `${screen.paint(COLOURS[check.status], check.status.padEnd(5))} ${check.name.padEnd(10)} ${plain(check.detail)}`;
  return check.remedy === '' ? [line] : [line, `                 ${check.remedy}`];
};

const GcOptions = z.object({
  days: z.coerce.number('not a number').int('not a whole number').min(0, 'at least 0').max(36_500).default(30),
});

export const gc: CommandSpec = {
  name: 'gc',
  args: [],
  summary: 'remove old finished tasks with their artifacts and sessions, and conversations nobody has touched since',
  options: [{ flags: '--days <n>', text: 'keep what is younger (default: 30)' }],
  examples: ['hca gc', 'hca gc --days 7'],
  run: async (app, given) => {
    const { days } = readOptions(GcOptions, given);
    const swept = await (await app.door()).call('_hca/gc', { keep_days: days });
    const size = `${(swept.bytes / 1024 ** 2).toFixed(1)} MiB`;
    app.answer(swept, () => [
      `Removed ${swept.tasks} tasks, ${swept.artifacts} artifacts, ${swept.sessions} sessions, ${swept.conversations} conversations: ${size}`,
    ]);
    return EXIT.accepted;
  },
};

export const deadLetters: CommandSpec = {
  name: 'dead-letters list',
  args: [],
  summary: 'messages that could not be delivered',
  options: [],
  examples: ['hca dead-letters list', 'hca dead-letters list --json'],
  run: async (app) => {
    const { letters } = await (await app.door()).call('_hca/dead-letter/list', {});
    app.answer({ letters }, () => (letters.length === 0 ? ['None.'] : table(letters.map(letterCells))));
    return EXIT.accepted;
  },
};

const letterCells = (letter: DeadLetterRow): string[] => [
  letter.id,
  letter.method,
  letter.to,
  moment(letter.at),
  `${letter.attempts} attempts`,
  plain(letter.reason),
];

export const redrive: CommandSpec = {
  name: 'dead-letters redrive',
  args: [{ name: '<id>', text: 'the id of a message, or "all"' }],
  summary: 'deliver one of them again, or all',
  options: [],
  examples: ['hca dead-letters redrive all'],
  run: async (app, given) => {
    const answer = await (await app.door()).call('_hca/dead-letter/redrive', { id: given.args[0] ?? '' });
    app.answer(answer, () => [`${answer.redriven} messages are delivered again.`]);
    return EXIT.accepted;
  },
};
