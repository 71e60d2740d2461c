// The few functions that machines call at every step, on the arguments where their meaning is plain; BAIL for all others.
import { BAIL } from '#local/asl/operators.ts';

/** A function on evaluated arguments; `now` is the runner's clock in milliseconds. */
export type FastFunction = (args: readonly unknown[], now: () => number) => unknown;

/** The fast form of a function, or undefined when there is none. */
export function fastFunction(name: string): FastFunction | undefined {
  return FUNCTIONS[name];
}

const FUNCTIONS: Readonly<Record<string, FastFunction>> = {
  exists: (args) => (args.length === 1 ? args[0] !== undefined : BAIL),
  ceil: rounding(Math.ceil),
  floor: rounding(Math.floor),
  max: extreme(Math.max),
  min: extreme(Math.min),
  millis: (args, now) => (args.length === 0 ? now() : BAIL),
};

function rounding(round: (value: number) => number): FastFunction {
  return ([value, ...rest]) => (rest.length === 0 && isNumber(value) ? round(value) : BAIL);
}

/** Only on a list of at least one number. */
function extreme(pick: (...values: number[]) => number): FastFunction {
  return ([list, ...rest]) => {
    if (rest.length > 0 || !Array.isArray(list) || list.length === 0) return BAIL;
    const numbers = list.filter(isNumber);
    return numbers.length === list.length ? pick(...numbers) : BAIL;
  };
}

function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}
