// The executions of a runner: opened by name, driven, ended once, picked up again from the journal.
import { isDeepStrictEqual } from 'node:util';
import { admit } from '#local/asl/admit.ts';
import { HALTED } from '#local/asl/cancel.ts';
import { endedBy, viewOf } from '#local/asl/execution-view.ts';
import type { Ended } from '#local/asl/journal.ts';
import type { Machine } from '#local/asl/nodes.ts';
import { type Sealed, sealed } from '#local/asl/payload.ts';
import type { ExecutionRow } from '#local/asl/rows.ts';
import { positionsOf, rootScope, runOf } from '#local/asl/run.ts';
import type { AslOptions, Execution, ExecutionName, StartResult, StopResult } from '#local/asl/runner.ts';
import type { Run, World } from '#local/asl/world.ts';

/** Machine names hold no newline, so this is one key per execution. */
const keyOf = ({ machine, name }: ExecutionName): string => `${machine}\n${name}`;

type Listeners = Pick<AslOptions, 'onStatus' | 'onSuspended'>;

export class Executions {
  readonly #world: World;
  readonly #machines: ReadonlyMap<string, Machine>;
  readonly #listeners: Listeners;
  readonly #runs = new Map<string, Run>();
  readonly #deadlines = new Map<string, () => void>();

  constructor(world: World, machines: ReadonlyMap<string, Machine>, listeners: Listeners) {
    this.#world = world;
    this.#machines = machines;
    this.#listeners = listeners;
  }

  find(execution: ExecutionName): Run | undefined {
    return this.#runs.get(keyOf(execution));
  }

  start(execution: ExecutionName, input: unknown): StartResult {
    this.#mustBeOpen();
    const { clock, archive } = this.#world;
    const admitted = admit(execution, input, this.#machines);
    if ('kind' in admitted) return admitted;
    const known = archive.named(execution.machine, execution.name);
    if (known !== undefined) return again(known, admitted.input);
    this.#open(execution.name, admitted, clock.now());
    return { kind: 'started' };
  }

  describe(execution: ExecutionName): Execution | undefined {
    const row = this.#world.archive.named(execution.machine, execution.name);
    return row === undefined ? undefined : viewOf(row, this.find(execution));
  }

  open(): readonly Execution[] {
    const rows = this.#world.archive.owed().filter((row) => row.status === 'RUNNING');
    return rows.map((row) => viewOf(row, this.find(row)));
  }

  stop(execution: ExecutionName, cause: string): StopResult {
    this.#mustBeOpen();
    const row = this.#world.archive.named(execution.machine, execution.name);
    if (row === undefined) return { kind: 'unknown' };
    if (row.status !== 'RUNNING') return { kind: 'ended', status: row.status };
    const error = { Error: 'States.Aborted', Cause: cause };
    this.#end(row, { status: 'ABORTED', at: this.#world.clock.now(), output: null, error });
    return { kind: 'stopped', status: 'ABORTED' };
  }

  resume(): void {
    this.#mustBeOpen();
    for (const row of this.#world.archive.owed()) {
      if (row.status !== 'RUNNING') this.#announce(row, row.status);
      else if (this.find(row) === undefined) this.#restore(row);
    }
  }

  close(): void {
    this.#world.journal.close();
    for (const stop of this.#deadlines.values()) stop();
    for (const run of this.#runs.values()) run.cancel.fire();
    this.#deadlines.clear();
    this.#runs.clear();
  }

  #mustBeOpen(): void {
    if (this.#world.journal.closed) throw new Error('the ASL runner is closed; make a new one and resume it');
  }

  #open(name: string, admitted: { machine: Machine; input: Sealed }, started: number): void {
    const { machine, input } = admitted;
    const limit = machine.timeoutSeconds;
    const deadline = limit === undefined ? null : started + limit * 1_000;
    const id = this.#world.journal.begin({ machine: machine.name, name, input: input.text, started, deadline });
    const run = runOf({ id, machine, name, input, started }, undefined);
    this.#tell({ machine: machine.name, name }, { status: 'RUNNING', input: input.value });
    this.#go(run, deadline);
  }

  #restore(row: ExecutionRow): void {
    const machine = this.#machines.get(row.machine);
    if (machine === undefined) {
      this.#listeners.onSuspended?.(row, new Error(`no machine "${row.machine}" is loaded`));
      return;
    }
    const input = sealed(row.input, 'the journalled input');
    this.#go(runOf({ ...row, machine, input }, positionsOf(this.#world.archive, row.id)), row.deadline);
  }

  #go(run: Run, deadline: number | null): void {
    const key = keyOf({ machine: run.machine.name, name: run.name });
    this.#runs.set(key, run);
    const { clock, activity } = this.#world;
    if (deadline !== null) {
      this.#deadlines.set(
        key,
        clock.timer(deadline - clock.now(), () => this.#timeOut(run)),
      );
    }
    activity.enter();
    queueMicrotask(() => void this.#drive(run));
  }

  async #drive(run: Run): Promise<void> {
    try {
      const ending = await this.#world.runScope(rootScope(this.#world, run));
      if (ending !== HALTED) this.#end(rowOf(run), endedBy(ending, this.#world.clock.now()));
    } catch (thrown) {
      this.#suspend(run, thrown);
    } finally {
      this.#world.activity.leave();
    }
  }

  #timeOut(run: Run): void {
    const error = { Error: 'States.Timeout', Cause: 'the execution took longer than its TimeoutSeconds' };
    try {
      this.#end(rowOf(run), { status: 'TIMED_OUT', at: this.#world.clock.now(), output: null, error });
    } catch (thrown) {
      this.#suspend(run, thrown);
    }
  }

  #end(row: Ending, how: Ended): void {
    const ended = this.#world.journal.end(row.id, how);
    this.#forget(row);
    if (ended) this.#announce(row, how.status);
  }

  #suspend(run: Run, reason: unknown): void {
    const row = rowOf(run);
    this.#forget(row);
    this.#listeners.onSuspended?.({ machine: row.machine, name: row.name }, reason);
  }

  #forget(execution: ExecutionName): void {
    const key = keyOf(execution);
    const run = this.#runs.get(key);
    this.#deadlines.get(key)?.();
    this.#deadlines.delete(key);
    this.#runs.delete(key);
    run?.cancel.fire();
  }

  /** An end stays owed until the listener has taken it. */
  #announce(row: Ending, status: Ended['status']): void {
    if (this.#tell(row, { status, input: row.input })) this.#world.journal.announced(row.id);
  }

  #tell({ machine, name }: ExecutionName, change: { status: Ended['status']; input: unknown }): boolean {
    try {
      this.#listeners.onStatus?.({ machine, name, ...change });
      return true;
    } catch (thrown) {
      this.#listeners.onSuspended?.({ machine, name }, thrown);
      return false;
    }
  }
}

type Ending = Pick<ExecutionRow, 'id' | 'machine' | 'name' | 'input'>;

function rowOf(run: Run): Ending {
  return { id: run.id, machine: run.machine.name, name: run.name, input: run.input.value };
}

function again(known: ExecutionRow, input: Sealed): StartResult {
  const same = known.status === 'RUNNING' && isDeepStrictEqual(known.input, JSON.parse(input.text));
  return same ? { kind: 'same' } : { kind: 'refused', error: 'ExecutionAlreadyExists' };
}
