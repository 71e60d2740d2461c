// Every named path of every machine.
import { COORDINATOR_PATHS } from './coordinator.ts';
import { FAULT_PATHS } from './faults.ts';
import { LEAF_PATHS, REVIEW_PATHS } from './leaf.ts';
import { LOOP_PATHS } from './loop.ts';
import type { NamedPath } from './path.ts';

export const NAMED_PATHS: readonly NamedPath[] = [
  ...LOOP_PATHS,
  ...LEAF_PATHS,
  ...COORDINATOR_PATHS,
  ...FAULT_PATHS,
  ...REVIEW_PATHS,
];
