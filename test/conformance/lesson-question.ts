// Asking for lessons through the door: a question that it may not have yet, which then is the failure that the manifest expects.
import { expect } from 'vitest';
import type { House } from './house.ts';

/** The list in the answer to a method, read as it comes; that the door has the method is asserted first. */
export const askMaybe = async (
  house: House,
  method: string,
  params: Record<string, unknown>,
): Promise<Record<string, unknown>[]> => {
  const { methods } = await house.door().call('_hca/methods', {});
  expect(methods.map((line) => line.method)).toContain(method);
  const answer = await house.door().call(method as '_hca/task/get', params as { task: string });
  return Object.values(answer).find(Array.isArray) ?? [];
};
