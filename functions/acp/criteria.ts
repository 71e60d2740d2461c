// Criteria as a person gave them, read by the rule; the first thing that is wrong is a fault that names the entry (L2-EVL-03).
import type { Asked } from '#shared/contracts/acp-task.ts';
import type { Criterion } from '#shared/contracts/criterion.ts';
import { readCriteria } from '#shared/domain/harness/given-criteria.ts';
import { asFault } from './terms.ts';

/** None is fine: then the goal alone says what is checked. @throws HcaFault HcaBadInput naming `criteria[2].command` and the like. */
export const criteriaOf = (given: Asked['criteria']): Criterion[] => {
  if (given.length === 0) return [];
  const read = readCriteria(given);
  if (read.ok) return read.criteria;
  throw asFault(
    read.problems[0] ?? { field: 'criteria', message: 'they cannot be read', remedy: 'see hca help criteria' },
  );
};
