// Every named path on the embedded runner: the states walked, the end, no call too many or too few; and together they take every way
// there is from state to state in every machine file. test/emulator walks the same paths elsewhere and compares.
import { describe, expect, it } from 'vitest';
import { MACHINES } from '#shared/contracts/machines.ts';
import { statesOf } from '#test/support/machines.ts';
import { NAMED_PATHS } from './named/all.ts';
import { walkEmbedded } from './named/embedded.ts';

const walks = new Map(
  await Promise.all(NAMED_PATHS.map(async (path) => [path.name, await walkEmbedded(path)] as const)),
);

describe.each(MACHINES)('the named paths of the %s machine', (machine) => {
  const paths = NAMED_PATHS.filter((path) => path.machine === machine);

  it.each(paths)('$name', ({ name, walk, fails }) => {
    const { status, error, states, unexpected } = walks.get(name)!;
    expect(states.map((state) => state.name).join(' ')).toBe(walk);
    expect({ status, error }).toEqual({ status: fails === null ? 'SUCCEEDED' : 'FAILED', error: fails });
    expect(unexpected).toEqual([]);
  });

  it('take every way from state to state', () => {
    const ways = statesOf(machine).flatMap(({ name, json }) => waysOut(json).map((to) => `${name}>${to}`));
    expect(ways.length).toBeGreaterThan(0);
    const taken = new Set(paths.flatMap(({ name }) => walks.get(name)!.edges));
    expect([...new Set(ways)].filter((way) => !taken.has(way))).toEqual([]);
  });
});

describe('a named path', () => {
  it('has a name of its own', () => {
    expect(walks.size).toBe(NAMED_PATHS.length);
  });
});

const waysOut = (json: Record<string, unknown>): string[] => {
  const rules = [...((json.Choices ?? []) as { Next: string }[]), ...((json.Catch ?? []) as { Next: string }[])];
  const others = [json.Next, json.Default].filter((next) => typeof next === 'string');
  return [...rules.map(({ Next }) => Next), ...others];
};
