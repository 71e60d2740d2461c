// What a person reads: amounts, times, tables, trees, colours, help and mistakes on the command line.
import { describe, expect, it, vi } from 'vitest';
import { COMMANDS } from '#cli/commands.ts';
import { exitOf } from '#cli/final.ts';
import { duration, shortId, spending, table } from '#cli/format.ts';
import { buildProgram, runProgram } from '#cli/program.ts';
import { cut, makeScreen, plain } from '#cli/screen.ts';
import { TOPICS } from '#cli/topics.ts';
import { treeLines } from '#cli/tree.ts';
import { METHODS } from '#shared/contracts/acp.ts';
import type { TreeNode } from '#shared/contracts/acp-task.ts';
import { EXIT } from '#shared/contracts/errors.ts';

const screenOf = (isTTY: boolean, env: NodeJS.ProcessEnv = {}) => {
  const written: string[] = [];
  return { written, screen: makeScreen({ write: (text) => written.push(text), isTTY, columns: 40 }, env) };
};

const spoken = async (argv: string[]) => {
  const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const err = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    const exit = await runProgram(argv);
    return {
      exit,
      out: out.mock.calls.map(([text]) => text).join(''),
      err: err.mock.calls.map(([text]) => text).join(''),
    };
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
};

describe('the screen', () => {
  it('has colours and a bottom line on a terminal only', () => {
    const piped = screenOf(false);
    piped.screen.status('working');
    piped.screen.line(piped.screen.paint('red', 'text'));
    expect(piped.written.join('')).toBe('text\n');
    const live = screenOf(true);
    live.screen.status('working');
    expect(live.written.join('')).toContain('working');
    expect(live.screen.paint('red', 'x')).toContain('\u001b[31m');
  });

  it('respects NO_COLOR and a dumb terminal', () => {
    expect(screenOf(true, { NO_COLOR: '1' }).screen.paint('red', 'x')).toBe('x');
    expect(screenOf(true, { TERM: 'dumb' }).screen.isLive).toBe(false);
  });

  it('lets no escape sequence of a tool through', () => {
    expect(plain('a\u001b[2Jb\nc\u0007\u202ed')).toBe('a[2Jb cd');
    expect(cut('abcdef', 4)).toBe('abc…');
  });
});

describe('lines from a workspace', () => {
  const hostile = '+\tevil\u001b[1A\u001b[2K\u001b]0;title\u0007\r';

  it('move no cursor on a terminal, and keep our colours', () => {
    const live = screenOf(true);
    live.screen.line(live.screen.paint('red', hostile));
    expect(live.written.join('')).toBe('\u001b[31m+\tevil[1A[2K]0;title\u001b[0m\n');
  });

  it('are exact where a program reads them: a patch must apply', () => {
    const piped = screenOf(false);
    piped.screen.line(hostile);
    expect(piped.written.join('')).toBe(`${hostile}\n`);
  });
});

describe('amounts', () => {
  it('are short and exact', () => {
    expect([450, 3210, 65_000, 3_720_000].map(duration)).toEqual(['450 ms', '3.2 s', '1 m 05 s', '1 h 02 m']);
    expect(spending({ usd_micros: 0, tokens: 0, calls: 1, attempts: 1, time_ms: 20 })).toBe(
      '1 call, 20 ms of tool time',
    );
    expect(shortId('01ARZ3NDEKTSV4RRFFQ69G5FAV')).toBe('9G5FAV');
    expect(
      table([
        ['a', 'bb'],
        ['ccc', 'd'],
      ]),
    ).toEqual(['a    bb', 'ccc  d']);
  });

  it('map every outcome to its exit code', () => {
    expect([exitOf('accepted'), exitOf('escalated'), exitOf('rejected'), exitOf('cancelled'), exitOf('open')]).toEqual([
      0, 3, 4, 5, 0,
    ]);
  });
});

describe('the tree', () => {
  it('draws holons under their parents, with their reviews', () => {
    const node = (holon: string, children: TreeNode[] = []): TreeNode => ({
      record: 'r',
      kind: 'task',
      holon,
      state: 'completed',
      outcome: 'accepted',
      iteration: 1,
      result: null,
      note: '',
      children,
    });
    const review: TreeNode = { ...node('evaluator'), kind: 'review', result: 'fail' };
    const lines = treeLines(
      node('root', [node('engineering', [node('developer', [review])]), node('quality')]),
      screenOf(false).screen,
    );
    expect(lines).toEqual([
      'root accepted',
      '├─ engineering accepted',
      '│  └─ developer accepted',
      '│     └─ review 1 by evaluator: fail',
      '└─ quality accepted',
    ]);
  });
});

describe('the command line', () => {
  it('offers every method of the door, and has no command without one', () => {
    // `acp` is the door itself for editors, `sandbox-server` a place to work for houses elsewhere, `login` and `logout` are about the way to it:
    // they ask nothing of the door.
    const apart = ['acp', 'sandbox-server', 'login', 'logout'];
    const names = COMMANDS.map((spec) => spec.name).filter((name) => !apart.includes(name));
    const used = Object.values(METHODS)
      .map((row) => row.command)
      .filter((name) => !name.startsWith('help '));
    expect([...new Set(used)].sort()).toEqual(names.toSorted());
  });

  it('has examples for every command, and shows them', async () => {
    for (const spec of COMMANDS) {
      expect(spec.examples.length, spec.name).toBeGreaterThan(0);
      const { exit, out } = await spoken([...spec.name.split(' '), '--help']);
      expect(exit, spec.name).toBe(EXIT.accepted);
      expect(out, spec.name).toContain(spec.examples[0]);
    }
  });

  it('documents every exit code', () => {
    for (const [name, code] of Object.entries(EXIT))
      expect(TOPICS['exit-codes']).toMatch(new RegExp(`${code} +${name}`));
  });

  it('has no help on what is no topic', async () => {
    expect((await spoken(['help', 'criteria'])).out).toContain('criteria file');
    expect(await spoken(['help', 'nothing'])).toMatchObject({
      exit: EXIT.bad_input,
      err: expect.stringContaining('nothing'),
    });
  });

  it.each([
    [['run'], 'goal'],
    [['run', 'x', '--nonsense'], '--nonsense'],
    [['fly'], 'fly'],
    [['run', 'x', '--retries', 'many'], '--retries'],
    [['run', 'x', '--criteria', '/no/such/file.yaml'], '/no/such/file.yaml'],
  ])('says what is wrong with %j', async (argv, named) => {
    const { exit, err, out } = await spoken(argv);
    expect(exit).toBe(EXIT.bad_input);
    expect(err).toContain(named);
    expect(err).toContain('remedy');
    expect(out).toBe('');
  });

  it('says it as a document in --json mode', async () => {
    const { exit, out, err } = await spoken(['run', '--json']);
    expect(exit).toBe(EXIT.bad_input);
    expect(JSON.parse(out).error).toMatchObject({
      code: 'HcaBadInput',
      message: expect.stringContaining('goal'),
      remedy: expect.any(String),
    });
    expect(err).toBe('');
  });

  it('builds a program whose groups hold their commands', () => {
    const program = buildProgram(() => undefined);
    const holon = program.commands.find((command) => command.name() === 'holon');
    expect(holon?.commands.map((command) => command.name())).toEqual(['list', 'status', 'add']);
  });
});
