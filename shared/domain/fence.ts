// Fences: which of two writers of a token is the later one (architecture section 3, "A wait"; trace V4).

const FENCE = /^\d+(\.\d+)*$/;

/**
 * Compares two fences `generation.redrive.tick.retry` number by number, so that `1.0.10.0` comes after `1.0.9.0`.
 * The empty fence of a wait without a token comes before every other, a missing part before a 0.
 * @returns below 0 when `a` is the earlier one, 0 when they are equal, above 0 when `a` is the later one.
 * @throws Error for a text that is no fence: fences are made by our own code only.
 */
export const compareFence = (a: string, b: string): number => {
  const left = partsOf(a);
  const right = partsOf(b);
  const length = Math.max(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const difference = (left[index] ?? -1) - (right[index] ?? -1);
    if (difference !== 0) return difference;
  }
  return 0;
};

const partsOf = (fence: string): number[] => {
  if (fence === '') return [];
  if (!FENCE.test(fence)) throw new Error(`"${fence}" is no fence: expected numbers joined by dots`);
  return fence.split('.').map(Number);
};
