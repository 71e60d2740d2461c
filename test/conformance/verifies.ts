// How a scenario says what it proves. A test names the requirement (or the step of a script) it proves and returns what it saw: the evidence
// of the claim. The same files can be read without running anything, which is how the coverage test knows what is proved.
import { AssertionError } from 'node:assert';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type House, openHouse } from './house.ts';
import { REQUIREMENTS, type RequirementId } from './requirements.ts';
import { type ScriptName, scriptOf } from './scripts.ts';

/** What a test saw through the door, small enough to be read. */
export type Evidence = Record<string, unknown>;

/** What a test proves: a requirement's id, or `script#step` counted from 1. */
export interface Proof {
  id: string;
  fails: string | null;
  evidence: Evidence;
}

declare module 'vitest' {
  interface TaskMeta {
    proof?: Proof;
  }
}

let collected: string[] | null = null;

/** Reads scenario files without running them; answers with the ids that their tests prove. @throws Error on an unknown id. */
export const proofsOf = async (files: readonly string[]): Promise<string[]> => {
  const found: string[] = [];
  collected = found;
  try {
    for (const file of files) await import(file);
  } finally {
    collected = null;
  }
  return found;
};

/** One file, one host: the house is started when the first test runs and ended after the last, without an undelivered message. */
export const scenario = (title: string, body: (house: () => House) => void): void => {
  let house: House | undefined;
  const current = (): House => {
    if (house === undefined) throw new Error('the house is there only while a test runs');
    return house;
  };
  if (collected !== null) {
    body(current);
    return;
  }
  describe(title, () => {
    beforeAll(async () => {
      house = await openHouse();
    });
    afterAll(async () => {
      const letters = (await house?.door().call('_hca/dead-letter/list', {}))?.letters;
      await house?.close();
      expect(letters, 'messages that could not be delivered').toEqual([]);
    });
    body(current);
  });
};

/** A test that proves a requirement. Where the manifest expects a failure, it passes only as long as the requirement does not hold. */
export const verifies = (id: RequirementId, title: string, prove: () => Promise<Evidence>): void => {
  if (!Object.hasOwn(REQUIREMENTS, id)) throw new Error(`${id} is no requirement`);
  const { expected } = REQUIREMENTS[id];
  const fails = expected === 'holds' ? null : expected.fails;
  register({ id, fails, title: `${id} ${title}` }, prove);
};

/** A test that is one step of a script, counted from 1. */
export const performs = (script: ScriptName, step: number, prove: () => Promise<Evidence>): void => {
  const { title, steps, notYet } = scriptOf(script);
  const text = steps[step - 1];
  if (text === undefined) throw new Error(`${script} has no step ${step}`);
  const fails = notYet?.[step] ?? null;
  register({ id: `${script}#${step}`, fails, title: `${title}, step ${step}: ${text}` }, prove);
};

const register = (test: { id: string; fails: string | null; title: string }, prove: () => Promise<Evidence>): void => {
  const { id, fails, title } = test;
  if (collected !== null) {
    collected.push(id);
    return;
  }
  it(title, async ({ task }) => {
    const evidence = fails === null ? await prove() : await failing({ id, fails }, prove);
    task.meta.proof = { id, fails, evidence };
  });
};

/** Only a failed assertion is the failure that was expected; a host that does not answer is not. */
const failing = async (known: { id: string; fails: string }, prove: () => Promise<Evidence>): Promise<Evidence> => {
  try {
    await prove();
  } catch (error) {
    if (isAssertion(error)) return { expected_failure: known.fails, seen: error.message.split('\n')[0] };
    throw error;
  }
  throw new Error(`${known.id} holds now: take its expected failure ("${known.fails}") out of the manifest`);
};

const isAssertion = (error: unknown): error is Error =>
  error instanceof AssertionError || (error instanceof Error && error.name === 'AssertionError');
