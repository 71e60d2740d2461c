// `npm start` in an installed package: the first leaf accepted, both examples at their ends, and the time that was not the tools'.
import { rmSync } from 'node:fs';
import path from 'node:path';
import { type Line, runScript } from './host-process.ts';
import type { Figure } from './table.ts';

const ROUNDS = Number(process.env.BENCH_STARTS ?? 3);

export const measure = async (): Promise<Figure[]> => {
  const runs: Run[] = [];
  for (let round = 0; round < ROUNDS; round += 1) runs.push(await once());
  const row = (name: string, of: (run: Run) => number, target: string): Figure => ({
    name: `npm start: ${name}`,
    unit: 's',
    times: runs.map((run) => of(run) / 1000),
    target,
  });
  return [
    row('first leaf accepted', ({ first }) => first, '≤ 3'),
    row('all', ({ all }) => all, '≤ 8'),
    row('of that, tools', ({ tools }) => tools, ''),
    row('host time outside tools', ({ all, tools }) => all - tools, '≤ 1.5'),
  ];
};

interface Run {
  first: number;
  all: number;
  tools: number;
}

const once = async (): Promise<Run> => {
  const { lines, took } = await runScript('cli/start.ts', []);
  const accepted = lines.find(({ text }) => /\scompleted\s/.test(text));
  const home = lines.map(({ text }) => /--home (\S+)/.exec(text)?.[1]).find((found) => found !== undefined);
  if (accepted === undefined || home === undefined) throw new Error('npm start did not end as it should');
  rmSync(path.dirname(home), { recursive: true, force: true });
  return { first: accepted.at, all: took, tools: toolTime(lines) };
};

/** What the ledgers were charged, from the evidence of every call: "spent 13 calls, 15.8 s of tool time". */
const toolTime = (lines: readonly Line[]): number =>
  lines.reduce((sum, { text }) => sum + 1000 * Number(/spent .*?([\d.]+) s of tool time/.exec(text)?.[1] ?? 0), 0);
