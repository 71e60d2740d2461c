// docs/follow-a-message.md names what is there: files, tables, variables, methods with their rules, functions, states.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { FUNCTIONS } from '#shared/contracts/access.ts';
import { MACHINES } from '#shared/contracts/machines.ts';
import { MESSAGES } from '#shared/contracts/messages.ts';
import { TABLES, VARIABLES } from '#shared/contracts/storage.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PAGE = readFileSync(path.join(ROOT, 'docs/follow-a-message.md'), 'utf8');

const named = (pattern: RegExp): string[] => [...new Set(PAGE.match(pattern))];

it('names files that are there', () => {
  const files = named(/(?<=`)(?:functions|shared|infra|statemachines)\/[\w./-]+(?=`)/g);
  expect(files.length).toBeGreaterThan(15);
  expect(files.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
});

it('names tables and variables that there are', () => {
  const tables = named(/(?<=^ *\| )[a-z]+(?= \| `main#)/gm);
  expect(tables).toEqual(['tasks', 'ledger', 'journal']);
  expect(tables.filter((table) => !(table in TABLES))).toEqual([]);
  expect(named(/HCA_TABLE_\w+/g)).toEqual(
    (['tasks', 'ledger', 'journal'] as const).map((table) => VARIABLES.table(table)),
  );
});

it('names methods that there are, functions of the register, and for each rule its method', () => {
  const methods = named(/(?<![_\w])hca\/[a-z]+\/[a-z.]+(?=[`\n])/g);
  expect(methods.length).toBeGreaterThanOrEqual(4);
  expect(methods.filter((method) => !(method in MESSAGES))).toEqual([]);
  const ofMethods = methods.map((method) => method.replace(/^hca\//, 'hca-dev-').replaceAll(/[/.]/g, '-'));
  const ours = [...FUNCTIONS, ...MACHINES].map((name) => `hca-dev-${name}`);
  const others = ['hca-dev-dead-letters', ...ours, ...ofMethods];
  expect(named(/hca-dev-[a-z]+(?:-[a-z]+)*/g).filter((name) => !others.includes(name))).toEqual([]);
});
