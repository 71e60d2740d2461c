// The committed reference is the one that the tables make now; `npm run reference` writes it.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '#cli/commands.ts';
import { referencePages } from '#scripts/reference.ts';
import { METHODS } from '#shared/contracts/acp.ts';
import { FAULTS } from '#shared/contracts/errors.ts';
import { MESSAGES } from '#shared/contracts/messages.ts';
import { STEPS } from '#shared/contracts/steps.ts';

const FOLDER = new URL('../../docs/reference/', import.meta.url);

describe('docs/reference', () => {
  it.each([...referencePages()])('%s is up to date', (file, text) => {
    expect(readFileSync(new URL(file, FOLDER), 'utf8'), 'run: npm run reference').toBe(text);
  });

  it('holds no page that nothing makes', () => {
    expect(readdirSync(FOLDER).sort()).toEqual([...referencePages().keys()].sort());
  });

  it.each([
    ['steps.md', Object.keys(STEPS)],
    ['messages.md', Object.keys(MESSAGES)],
    ['errors.md', Object.keys(FAULTS)],
    ['door.md', Object.keys(METHODS)],
    ['commands.md', COMMANDS.map(({ name }) => name)],
  ])('%s names every row', (file, names) => {
    const text = referencePages().get(file) ?? '';
    expect(names.filter((name) => !text.includes(name))).toEqual([]);
  });
});
