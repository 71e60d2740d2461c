// How a command is written down: name, arguments, options, examples, and what it does. The program and its help are made of these.
import type * as z from 'zod';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { App } from './app.ts';

export interface CommandSpec {
  /** `run`, or `holon add` for a command in a group. */
  name: string;
  /** As commander writes them: `<goal>`, `[task]`, `[words...]`. */
  args: readonly { name: string; text: string }[];
  summary: string;
  options: readonly { flags: string; text: string }[];
  examples: readonly string[];
  /** Answers with the exit code; nothing is 0. */
  run(app: App, given: Given): Promise<number>;
}

/** What stood on the command line. */
export interface Given {
  args: string[];
  options: Record<string, unknown>;
}

/** Options of a command, checked. @throws HcaFault HcaBadInput naming the option. */
export const readOptions = <O>(schema: z.ZodType<O>, given: Given): O => {
  const read = schema.safeParse(given.options);
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  const flag = `--${String(issue?.path[0] ?? '').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  throw new HcaFault('HcaBadInput', {
    message: `${flag}: ${issue?.message ?? 'not as expected'}`,
    field: flag,
    remedy: 'see the command with --help',
  });
};

/** The task a command is about; the newest one when none is named. */
export const TASK_ARG = {
  name: '[task]',
  text: 'its id, 4 or more characters of it, or "last" (the default)',
} as const;

export const taskOf = (given: Given): string => given.args[0] ?? 'last';
