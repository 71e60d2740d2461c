// The binary operators of the fast path, on the operands where jsonata's meaning is beyond doubt; BAIL for all others.

/** "Not mine": the caller asks jsonata instead. */
export const BAIL: unique symbol = Symbol('bail');

/** One operator on two evaluated operands. */
export type BinaryRule = (left: unknown, right: unknown) => unknown;

/** The rule of an operator, or undefined when the fast path does not know it. */
export function binaryRule(operator: string): BinaryRule | undefined {
  return RULES[operator];
}

const RULES: Readonly<Record<string, BinaryRule>> = {
  '=': equality((same) => same),
  '!=': equality((same) => !same),
  '<': ordered((a, b) => a < b),
  '<=': ordered((a, b) => a <= b),
  '>': ordered((a, b) => a > b),
  '>=': ordered((a, b) => a >= b),
  '+': arithmetic((a, b) => a + b),
  '-': arithmetic((a, b) => a - b),
  '*': arithmetic((a, b) => a * b),
  '/': arithmetic((a, b) => a / b),
  and: logical((a, b) => a && b),
  or: logical((a, b) => a || b),
  '&': concatenated,
};

/** jsonata: with nothing on either side both `=` and `!=` are false. Objects and arrays are compared by jsonata. */
function equality(decide: (same: boolean) => boolean): BinaryRule {
  return (left, right) => {
    if (!isScalar(left) || !isScalar(right)) return BAIL;
    if (left === undefined || right === undefined) return false;
    return decide(left === right);
  };
}

function isScalar(value: unknown): boolean {
  return value === null || (typeof value !== 'object' && typeof value !== 'function' && typeof value !== 'symbol');
}

function ordered(decide: (a: number | string, b: number | string) => boolean): BinaryRule {
  return (left, right) => {
    if (typeof left === 'number' && typeof right === 'number') return decide(left, right);
    return typeof left === 'string' && typeof right === 'string' ? decide(left, right) : BAIL;
  };
}

/** Finite numbers with a finite result; what leaves that range is jsonata's to judge. */
function arithmetic(compute: (a: number, b: number) => number): BinaryRule {
  return (left, right) => {
    if (!isNumber(left) || !isNumber(right)) return BAIL;
    const result = compute(left, right);
    return isNumber(result) ? result : BAIL;
  };
}

function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

function logical(decide: (a: boolean, b: boolean) => boolean): BinaryRule {
  return (left, right) => (typeof left === 'boolean' && typeof right === 'boolean' ? decide(left, right) : BAIL);
}

function concatenated(left: unknown, right: unknown): unknown {
  return typeof left === 'string' && typeof right === 'string' ? left + right : BAIL;
}
