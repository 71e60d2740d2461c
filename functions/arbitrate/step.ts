// ARBITRATE: the parent's rule for a child that did not complete, and for two children that conflict. Only with something new (L2-NEG-04, L2-ESC-04).
import type { Step } from '../step.ts';
import { arbitrateChild } from './child.ts';
import { resolveConflict } from './conflict.ts';

export const arbitrate: Step<'arbitrate'> = async (_input, record, ports) => {
  if (record.kind === 'delegation') return arbitrateChild(record, ports);
  if (record.kind === 'task') return resolveConflict(record, ports.clock.now());
  throw new Error(`bug: nothing to arbitrate in ${record.kind} ${record.id}`);
};
