// Amounts, times, ids and tables as a person reads them.

import type { TaskOutcome } from '#shared/contracts/acp-task.ts';
import type { Budget } from '#shared/contracts/budget.ts';
import type { Colour } from './screen.ts';

/** `450 ms`, `3.2 s`, `2 m 05 s`, `1 h 02 m`. */
export const duration = (ms: number): string => {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} m ${two(seconds % 60)} s`;
  return `${Math.floor(seconds / 3600)} h ${two(Math.floor((seconds % 3600) / 60))} m`;
};

const two = (value: number): string => String(value).padStart(2, '0');

/** `$0.00 · 0 tokens · 12 calls · 2 attempts · 3.2 s`. */
export const amounts = (budget: Budget): string =>
  [
    `$${(budget.usd_micros / 1_000_000).toFixed(2)}`,
    `${budget.tokens} tokens`,
    `${budget.calls} calls`,
    `${budget.attempts} attempts`,
    duration(budget.time_ms),
  ].join(' · ');

/** What was really spent: dimensions that are zero say nothing. */
export const spending = (spent: Budget): string => {
  const parts = [
    spent.usd_micros > 0 ? `$${(spent.usd_micros / 1_000_000).toFixed(4)}` : '',
    spent.tokens > 0 ? `${spent.tokens} tokens` : '',
    `${spent.calls} ${spent.calls === 1 ? 'call' : 'calls'}`,
    `${duration(spent.time_ms)} of tool time`,
  ];
  return parts.filter((part) => part !== '').join(', ');
};

/** The end of an id: ids of one day begin alike. */
export const shortId = (id: string): string => id.slice(20, 26).concat(id.slice(26));

/** `2026-03-01 14:05:09`, local time. */
export const moment = (ms: number): string => {
  const at = new Date(ms);
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-');
  return `${day} ${[at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':')}`;
};

/** Columns as wide as their widest cell; the last one is not padded. */
export const table = (rows: readonly (readonly string[])[]): string[] => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row.map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0))).join('  '),
  );
};

/** Colours of the ways a task can stand. */
export const OUTCOME_COLOUR: Readonly<Record<TaskOutcome, Colour>> = {
  open: 'blue',
  accepted: 'green',
  escalated: 'yellow',
  rejected: 'red',
  cancelled: 'dim',
};
