// Times of a machine file, computed: whole seconds within Step Functions' range.
import { AslFault } from '#local/asl/errors.ts';
import type { Eval } from '#local/asl/expressions.ts';
import type { Env } from '#local/asl/fast-path.ts';

const LONGEST = 99_999_999;

/** Milliseconds of a field in seconds; undefined when the field is absent. Out of range: States.QueryEvaluationError. */
export async function millisOf(
  field: Eval | undefined,
  env: Env,
  rule: { name: string; least: number },
): Promise<number | undefined> {
  if (field === undefined) return undefined;
  const value = await field(env);
  if (typeof value === 'number' && Number.isInteger(value) && value >= rule.least && value <= LONGEST)
    return value * 1_000;
  throw new AslFault(
    'States.QueryEvaluationError',
    `${rule.name} must be whole seconds from ${rule.least} to ${LONGEST}, not ${JSON.stringify(value)}`,
  );
}
