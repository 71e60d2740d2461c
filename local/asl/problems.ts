// What is wrong with a machine file, as a list with path and remedy; a machine with problems is never run.
import type * as z from 'zod';

/** Thrown by the loader: `problems` has one sentence per mistake, each starting with the path in the file. */
export class AslDefinitionError extends Error {
  readonly problems: readonly string[];

  constructor(machine: string, problems: readonly string[]) {
    super(`state machine "${machine}" cannot be run:\n${problems.map((problem) => `- ${problem}`).join('\n')}`);
    this.name = 'AslDefinitionError';
    this.problems = problems;
  }
}

/** Collects problems while a file is read. */
export class Problems {
  readonly found: string[] = [];

  add(path: string, sentence: string): void {
    this.found.push(`${path === '' ? '(machine)' : path}: ${sentence}`);
  }

  /** Parses with a schema; what does not fit is noted with its path and undefined is returned. */
  parse<T extends z.ZodType>(schema: T, value: unknown, path: string): z.output<T> | undefined {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues) this.add(join(path, issue.path), sentenceOf(issue));
    return undefined;
  }
}

/** `States.Plan` + `Retry`, 0 = `States.Plan.Retry[0]`. */
export function join(path: string, more: readonly PropertyKey[]): string {
  return more.reduce<string>((whole, key) => {
    if (typeof key === 'number') return `${whole}[${key}]`;
    return whole === '' ? String(key) : `${whole}.${String(key)}`;
  }, path);
}

function sentenceOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'unrecognized_keys') {
    return `unknown field ${issue.keys.join(', ')}; remove it, this runner has no meaning for it here`;
  }
  if (issue.code === 'invalid_union' && issue.discriminator !== undefined) {
    return 'unknown state type; use Task, Choice, Map, Wait, Succeed or Fail';
  }
  if (issue.code === 'invalid_value') return `use ${issue.values.map((value) => JSON.stringify(value)).join(' or ')}`;
  return issue.message;
}
