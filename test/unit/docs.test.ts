// What is written for readers leads somewhere: links, headings behind them, decisions and commands that are named.

import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';

const ROOT = path.resolve(import.meta.dirname, '../..');
const PAGES = ['README.md', 'CHANGELOG.md', 'statemachines/README.md', ...globSync('docs/**/*.md', { cwd: ROOT })];
const { scripts } = z
  .looseObject({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')));

const textOf = (page: string): string => readFileSync(path.join(ROOT, page), 'utf8');
const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map((found) => found[1] ?? '');

/** As GitHub makes it of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');

/** Where a page's links lead within the repository, with the heading behind `#`. */
const linksIn = (page: string): { file: string; heading: string | undefined }[] =>
  all(textOf(page), /\]\(([^)\s]+)\)/g)
    .filter((link) => !/^(https?|mailto):/.test(link))
    .map((link) => {
      const [file = '', heading] = link.split('#');
      return { file: file === '' ? page : path.join(path.dirname(page), file), heading };
    });

test.each(PAGES)('%s', (page) => {
  const links = linksIn(page);
  expect(links.filter(({ file }) => !existsSync(path.join(ROOT, file)))).toEqual([]);
  const headed = links.filter(({ heading }) => heading !== undefined);
  expect(
    headed.filter(
      ({ file, heading }) =>
        !all(textOf(file), /^#+ (.+)$/gm)
          .map(anchorOf)
          .includes(heading ?? ''),
    ),
  ).toEqual([]);
  const decisions = all(textOf(page), /docs\/decisions\/(\d{4})/g);
  expect(decisions.filter((number) => !PAGES.some((one) => one.startsWith(`docs/decisions/${number}-`)))).toEqual([]);
  expect(all(textOf(page), /npm run (?:-s )?([a-z][\w:-]*)/g).filter((name) => !(name in scripts))).toEqual([]);
});
