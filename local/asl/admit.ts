// What may be started: a known machine, a name Step Functions would take, an input of bounded size.
import { AslFault } from '#local/asl/errors.ts';
import type { Machine } from '#local/asl/nodes.ts';
import { copied, type Sealed, sealed } from '#local/asl/payload.ts';
import type { ExecutionName, StartResult } from '#local/asl/runner.ts';

const NAME = /^[A-Za-z0-9_-]{1,80}$/;

/** The machine and a private copy of the input, or the refusal. */
export function admit(
  execution: ExecutionName,
  input: unknown,
  machines: ReadonlyMap<string, Machine>,
): { readonly machine: Machine; readonly input: Sealed } | StartResult {
  const machine = machines.get(execution.machine);
  if (machine === undefined) return { kind: 'refused', error: 'StateMachineDoesNotExist' };
  if (!NAME.test(execution.name)) return { kind: 'refused', error: 'InvalidName' };
  try {
    return { machine, input: sealed(copied(input, 'the input'), 'the input') };
  } catch (thrown) {
    if (thrown instanceof AslFault) return { kind: 'refused', error: 'InvalidExecutionInput' };
    throw thrown;
  }
}
