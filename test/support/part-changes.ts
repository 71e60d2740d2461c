// What the door says of a package or a holarchy that differs from the one in force, as tests expect it.

/** A part that was added or removed as a whole. */
export const whole = (how: 'added' | 'removed', part: string, name: string) => ({ part, name, how, fields: [] });

/** A part of which some fields changed: before and after, each as JSON. */
export const changedPart = (part: string, name: string, fields: Record<string, [before: string, after: string]>) => ({
  part,
  name,
  how: 'changed',
  fields: Object.entries(fields).map(([field, [before, after]]) => ({ field, before, after })),
});
