// Running criteria in a session: a command, a file, a schema. What could not be run is an error, never a pass (requirements section 3).
import * as z from 'zod';
import type { CheckRun, Criterion } from '#shared/contracts/criterion.ts';
import type { Evidence, ToolCall, ToolOutcome } from '#shared/contracts/evidence.ts';
import { failureLines } from '#shared/domain/harness/failures.ts';
import { ranNoTests } from '#shared/domain/harness/no-tests.ts';
import { bounded } from './bounded.ts';
import { type Charge, type ChargePorts, callPaid } from './charge.ts';
import { type SchemaFailures, schemaChecker } from './schema-check.ts';

/** Runs and the evidence behind them; `spent` when the ledger ended it before every criterion was run. */
export interface Checked {
  runs: CheckRun[];
  evidence: Evidence[];
  spent: boolean;
}

interface Place {
  charge: Omit<Charge, 'timeout_ms'>;
  tree: string;
}

/** Runs every criterion that is checked by running something; a diff is judged from the change itself. */
export const runChecks = async (criteria: readonly Criterion[], place: Place, ports: ChargePorts): Promise<Checked> => {
  const checked: Checked = { runs: [], evidence: [], spent: false };
  const schemaFailures = criteria.some(({ check }) => check.kind === 'schema') ? await schemaChecker() : NO_SCHEMA;
  for (const criterion of criteria.filter(({ check }) => check.kind !== 'diff')) {
    const outcome = await callPaid({ ...place.charge, timeout_ms: timeoutOf(criterion) }, callOf(criterion), ports);
    if (outcome === 'spent') return { ...checked, spent: true };
    if (outcome.evidence !== null) checked.evidence.push(outcome.evidence);
    checked.runs.push({ ...readRun(criterion, outcome, schemaFailures), tree: place.tree });
  }
  return checked;
};

/** Where no criterion is a schema. */
const NO_SCHEMA: SchemaFailures = () => [];

const timeoutOf = ({ check }: Criterion): number => (check.kind === 'command' ? check.timeout_ms : FILE_MS);

/** Reading a file takes no longer than this. */
const FILE_MS = 10_000;

/** Of each stream, the most that the shell tool gives: a failure in what is left out could not be told from one of before. */
const OUTPUT_BYTES = 1_000_000;

const callOf = ({ check }: Criterion): ToolCall => {
  if (check.kind === 'command') {
    const { command, cwd, timeout_ms } = check;
    return { tool: 'shell.run', arguments: { command, cwd, timeout_ms, output_bytes: OUTPUT_BYTES } };
  }
  const path = check.kind === 'diff' ? '' : check.path;
  return { tool: 'filesystem.read_file', arguments: { path } };
};

type Run = Omit<CheckRun, 'tree'>;

const readRun = (criterion: Criterion, outcome: ToolOutcome, schemaFailures: SchemaFailures): Run => {
  const run = { criterion: criterion.id, evidence: outcome.evidence?.id ?? null };
  const { check } = criterion;
  if (outcome.status === 'refused')
    return { ...run, outcome: 'error', failures: [`refused: ${outcome.rule}`.slice(0, 300)] };
  if (check.kind === 'command') return { ...run, ...commandRun(check.exit, outcome) };
  const text = outcome.status === 'ok' ? outcome.result.text : null;
  if (isQuick(check)) return { ...run, ...textRun(check, text, schemaFailures) };
  return { ...run, ...(bounded(() => textRun(check, text, schemaFailures)) ?? LATE) };
};

/** A pattern without any repetition takes no longer than reading the file. */
const isQuick = (check: Criterion['check']): boolean => check.kind === 'file' && !/[*+{?]/.test(check.matches ?? '');

type Read = Pick<CheckRun, 'outcome' | 'failures'>;

const LATE: Read = { outcome: 'error', failures: ['its pattern or schema takes too long on this file'] };

const textRun = (check: Criterion['check'], text: string | null, schemaFailures: SchemaFailures): Read => {
  if (check.kind === 'file') return fileRun(check, text);
  if (text === null || check.kind !== 'schema') return { outcome: 'fail', failures: ['the file is not there'] };
  const failures = schemaFailures(check.schema, text).slice(0, 50);
  return { outcome: failures.length === 0 ? 'pass' : 'fail', failures };
};

const commandRun = (exit: number, outcome: ToolOutcome): Read => {
  const { evidence } = outcome;
  const said = saidBy(outcome);
  const failures = failureLines(said).slice(0, 200);
  if (evidence === null || evidence.timed_out) return { outcome: 'error', failures: ['it ran out of time'] };
  if (evidence.exit_code === null) return { outcome: 'error', failures: [endOf(evidence.signal, outcome.result.text)] };
  if (evidence.exit_code === exit) return ranNoTests(said) ? UNTESTED : { outcome: 'pass', failures: [] };
  if (evidence.exit_code === NOT_FOUND || evidence.exit_code === NOT_RUNNABLE) return { outcome: 'error', failures };
  return { outcome: 'fail', failures };
};

/** The text of a result is cut for a reader; what a command wrote is beside it. */
const Written = z.object({ stdout: z.string(), stderr: z.string() });

const saidBy = ({ result }: ToolOutcome): string => {
  const written = Written.safeParse(result.structured);
  return written.success ? `${written.data.stdout}\n${written.data.stderr}` : result.text;
};

const UNTESTED: Read = { outcome: 'error', failures: ['no test was run, and that proves nothing: add one'] };

const endOf = (signal: string | null, text: string): string =>
  (signal === null ? text : `it was ended by ${signal}`).slice(0, 300);

/** What a shell exits with when a command does not exist, or cannot be run. */
const NOT_FOUND = 127;
const NOT_RUNNABLE = 126;

const fileRun = (check: { exists: boolean; matches?: string | undefined }, text: string | null): Read => {
  const failure = fileFailure(check, text);
  return failure === null ? { outcome: 'pass', failures: [] } : { outcome: 'fail', failures: [failure] };
};

const fileFailure = (check: { exists: boolean; matches?: string | undefined }, text: string | null): string | null => {
  if (!check.exists) return text === null ? null : 'the file is there';
  if (text === null) return 'the file is not there';
  if (check.matches === undefined || new RegExp(check.matches, 'm').test(text)) return null;
  return `the file does not match ${check.matches}`.slice(0, 300);
};
