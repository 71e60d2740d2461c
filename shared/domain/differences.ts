// What differs between two lists of named things, or two things: added, removed, or changed field by field.
import type { Difference, FieldChange } from '#shared/contracts/difference.ts';

/** Two lists, compared by name. In the order of the first, then what was added. */
export const differencesOf = <T extends object>(
  part: string,
  { before, after, nameOf }: { before: readonly T[]; after: readonly T[]; nameOf(one: T): string },
): Difference[] => {
  const old = new Map(before.map((one) => [nameOf(one), one]));
  const now = new Map(after.map((one) => [nameOf(one), one]));
  const kept = [...old].flatMap(([name, one]): Difference[] => {
    const next = now.get(name);
    return next === undefined ? [{ part, name, how: 'removed', fields: [] }] : changed(part, name, [one, next]);
  });
  const added = [...now.keys()].filter((name) => !old.has(name));
  return [...kept, ...added.map((name): Difference => ({ part, name, how: 'added', fields: [] }))];
};

/** A part that is there once; null: it is not there. */
export const differenceOf = (part: string, before: object | null, after: object | null): Difference[] => {
  if (before !== null && after !== null) return changed(part, '', [before, after]);
  if (before === null && after === null) return [];
  return [{ part, name: '', how: before === null ? 'added' : 'removed', fields: [] }];
};

const changed = (part: string, name: string, [before, after]: readonly [object, object]): Difference[] => {
  const fields = fieldsOf('', before, after);
  return fields.length === 0 ? [] : [{ part, name, how: 'changed', fields }];
};

/** Objects are walked, everything else is compared whole. */
const fieldsOf = (field: string, before: unknown, after: unknown): FieldChange[] => {
  if (isObject(before) && isObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) => fieldsOf(field === '' ? name : `${field}.${name}`, before[name], after[name]));
  }
  const [left, right] = [textOf(before), textOf(after)];
  return left === right ? [] : [{ field, before: left, after: right }];
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** As JSON, with the keys in one order: two stores may keep them in another. */
const textOf = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(ordered(value)));

const ordered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isObject(value)) return value;
  const pairs = Object.keys(value)
    .sort()
    .map((name) => [name, ordered(value[name])]);
  return Object.fromEntries(pairs);
};
