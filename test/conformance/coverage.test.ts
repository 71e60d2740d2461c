// Every requirement and every step of every script is proved by a test, and no test proves something that is not in the manifest.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { LEVELS, REQUIREMENTS, type RequirementId } from './requirements.ts';
import { SCRIPTS, type ScriptName } from './scripts.ts';
import { performs, proofsOf, verifies } from './verifies.ts';

const HERE = import.meta.dirname;
const files = readdirSync(HERE).filter((name) => name.endsWith('.test.ts') && !name.startsWith('coverage'));
const proved = new Set(await proofsOf(files.map((name) => path.join(HERE, name))));

describe('the manifest', () => {
  it('has the 64 requirements of the three levels', () => {
    expect(Object.values(LEVELS).map((level) => Object.keys(level).length)).toEqual([22, 22, 20]);
    expect(Object.keys(REQUIREMENTS)).toHaveLength(64);
  });

  it('has the three level tests with all their steps', () => {
    expect(SCRIPTS['basic-holonic-flow'].steps).toHaveLength(9);
    expect(SCRIPTS['complete-compound-loop'].steps).toHaveLength(10);
    expect(SCRIPTS['compound-learning-system'].steps).toHaveLength(12);
  });

  it('gives a reason for every failure that is expected', () => {
    const reasons = Object.values(REQUIREMENTS).flatMap(({ expected }) => (expected === 'holds' ? [] : expected.fails));
    expect(reasons.filter((reason) => reason.trim() === '')).toEqual([]);
  });
});

describe('the scenarios', () => {
  it('prove every requirement', () => {
    expect(Object.keys(REQUIREMENTS).filter((id) => !proved.has(id))).toEqual([]);
  });

  it('perform every step of every script', () => {
    const steps = Object.entries(SCRIPTS).flatMap(([name, script]) => script.steps.map((_, at) => `${name}#${at + 1}`));
    expect(steps.filter((step) => !proved.has(step))).toEqual([]);
  });

  it('cannot cite what is not in the manifest', () => {
    const nothing = async () => ({});
    expect(() => verifies('L9-NO-01' as RequirementId, 'nothing', nothing)).toThrow('L9-NO-01 is no requirement');
    expect(() => performs('no-script' as ScriptName, 1, nothing)).toThrow('no-script is no script');
    expect(() => performs('happy-path', 2, nothing)).toThrow('happy-path has no step 2');
  });
});
