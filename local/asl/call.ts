// Calling a function: its answer as JSON, its error as an ASL error. Never rejects.
import { AslFault, functionFault } from '#local/asl/errors.ts';
import { copied } from '#local/asl/payload.ts';
import type { World } from '#local/asl/world.ts';

/** What became of a call or of a wait for an answer. */
export type Settled = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly fault: Error };

export async function callFunction(world: World, functionName: string, payload: unknown): Promise<Settled> {
  try {
    const answer = await world.invoke(functionName, payload);
    return { ok: true, value: copied(answer, `the result of ${functionName}`) };
  } catch (thrown) {
    return { ok: false, fault: thrown instanceof AslFault ? thrown : functionFault(thrown) };
  }
}
