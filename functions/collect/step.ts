// COLLECT: settles the children that completed, and merges three-way what the wave's delegation records name, never a listing of children
// (architecture section 3, trace V10).

import type { ArtifactRef } from '#shared/contracts/artifact.ts';
import type { DelegationRecord, TaskRecord } from '#shared/contracts/task.ts';
import type { Verdict } from '#shared/contracts/verdict.ts';
import { ChangeSet } from '#shared/contracts/workspace.ts';
import { moveTask } from '#shared/domain/lifecycle.ts';
import { mergeChanges } from '#shared/domain/merge.ts';
import type { StepPorts } from '#shared/ports/index.ts';
import { readJson, storeChange } from '../loop/artifacts.ts';
import { nextWave } from '../loop/wave.ts';
import type { Change, Step } from '../step.ts';
import { waveOf } from './wave.ts';

export const collect: Step<'collect'> = async ({ execution, tick }, record, ports) => {
  const { over, open, settling } = await waveOf(record, `${execution}#${tick}`, ports);
  const collecting: TaskRecord = { ...record, state: moveTask(record.state, 'collecting') };
  const change = await decided(collecting, { over, open }, ports);
  return { ...change, also: [...settling, ...(change.also ?? [])] };
};

const decided = async (
  record: TaskRecord,
  { over, open }: { over: DelegationRecord[]; open: DelegationRecord[] },
  ports: StepPorts<'collect'>,
): Promise<Change<'collect'>> => {
  const failed = over.find(({ state }) => state === 'failed');
  if (failed !== undefined) return childFailed(record, failed);
  return open.length > 0 ? waitAgain(record, open) : merge(record, over, ports);
};

/** Whoever resolved a token by hand is no child: it is waited for once more. */
const waitAgain = (record: TaskRecord, open: DelegationRecord[]): Change<'collect'> => {
  const wave = open.map(({ id }) => id);
  return {
    record: { ...record, state: moveTask(record.state, 'delegating') },
    entry: { text: `waits again for ${open.map(({ to }) => to).join(', ')}: not completed`, data: { wave } },
    output: { word: 'wave', wave },
  };
};

const merge = async (
  record: TaskRecord,
  wave: DelegationRecord[],
  ports: StepPorts<'collect'>,
): Promise<Change<'collect'>> => {
  const refs = wave.map(({ artifact }) => artifact).filter((ref) => ref !== null);
  const verdicts = wave.map(({ verdict }) => verdict).filter((verdict) => verdict !== null);
  const sets: ChangeSet[] = [];
  for (const ref of refs) sets.push(await readJson(record.tenant, { ref, schema: ChangeSet }, ports));
  const started = await startOf(record, ports);
  const merged = sets.length === 0 ? null : mergeChanges(sets, started);
  if (merged !== null && 'conflicts' in merged)
    return conflict(record, { conflicts: merged.conflicts, refs, sets, started }, ports);
  const stored = await artifactOf(
    record,
    { refs, merged: merged?.merged ?? null, patch: wave[0]?.patch ?? null },
    ports,
  );
  return onward({ ...record, ...stored, child_verdicts: withNew(record.child_verdicts, verdicts) }, refs, ports);
};

/** A new generation of the machine collects again: each verdict counts once. */
const withNew = (known: readonly Verdict[], found: readonly Verdict[]): Verdict[] => {
  const rest = known.filter(({ review }) => found.every((one) => one.review !== review));
  return [...rest, ...found].slice(-40);
};

const startOf = async (record: TaskRecord, ports: StepPorts<'collect'>): Promise<ChangeSet | undefined> => {
  const ref = record.wave === 0 && record.redo.length === 0 ? record.spec.start_from : record.artifact;
  return ref === null ? undefined : readJson(record.tenant, { ref, schema: ChangeSet }, ports);
};

/** One child's result is taken as it is, so that its verdict speaks of the very same artifact. */
const artifactOf = async (
  record: TaskRecord,
  { refs, merged, patch }: { refs: ArtifactRef[]; merged: ChangeSet | null; patch: ArtifactRef | null },
  ports: StepPorts<'collect'>,
): Promise<Pick<TaskRecord, 'artifact' | 'patch'>> => {
  const [only] = refs;
  if (refs.length === 1 && only !== undefined) return { artifact: only, patch };
  if (merged === null) return { artifact: record.artifact, patch: record.patch };
  return storeChange(record, { changes: merged, name: 'merged', from: refs.map(({ id }) => id) }, ports);
};

const onward = async (
  record: TaskRecord,
  refs: ArtifactRef[],
  ports: StepPorts<'collect'>,
): Promise<Change<'collect'>> => {
  const text = `collected ${refs.length} result(s) of wave ${record.wave + 1}`;
  const waves = record.plan?.waves.length ?? 0;
  if (record.wave + 1 >= waves) {
    return {
      record: { ...record, redo: [] },
      entry: { text, data: { artifact: record.artifact } },
      output: { word: 'review', wave: [] },
    };
  }
  const delegating: TaskRecord = {
    ...record,
    state: moveTask(record.state, 'delegating'),
    wave: record.wave + 1,
    redo: [],
  };
  const next = nextWave(delegating, ports.clock.now());
  return {
    record: delegating,
    also: next.also,
    entry: { text, data: { wave: next.ids } },
    output: { word: 'wave', wave: next.ids },
  };
};

interface Sides {
  conflicts: { path: string }[];
  refs: ArtifactRef[];
  sets: ChangeSet[];
  started: ChangeSet | undefined;
}

/** The other sides are kept as the artifact from which the last one may do its part again. */
const conflict = async (record: TaskRecord, sides: Sides, ports: StepPorts<'collect'>): Promise<Change<'collect'>> => {
  const { conflicts, refs, sets, started } = sides;
  const others = mergeChanges(sets.slice(0, -1), started);
  const kept =
    'merged' in others
      ? await storeChange(record, { changes: others.merged, name: 'others', from: refs.map(({ id }) => id) }, ports)
      : {};
  const paths = conflicts.map(({ path }) => path);
  return {
    record: { ...record, ...kept },
    entry: {
      text: `two results change the same lines of ${paths.join(', ')}`.slice(0, 2000),
      data: { conflicts: paths.slice(0, 20), sides: refs },
    },
    output: { word: 'conflict', wave: [] },
  };
};

const childFailed = (record: TaskRecord, failed: DelegationRecord): Change<'collect'> => {
  const inner = failed.escalation;
  const last = failed.tried.at(-1);
  const detail =
    inner?.reason === 'child_failed'
      ? inner.detail
      : `${failed.to}: ${inner?.reason ?? last?.outcome ?? 'failed'}: ${inner?.detail ?? last?.detail ?? ''}`;
  return {
    record: {
      ...record,
      artifact: inner?.artifact ?? record.artifact,
      attempts: [...record.attempts, ...(record.failing === null ? (inner?.attempts ?? []) : [])].slice(-64),
      failing: { reason: 'child_failed', detail: detail.slice(0, 4000) },
    },
    entry: { text: `a child failed: ${detail}`.slice(0, 2000), data: { child: failed.child, tried: failed.tried } },
    output: { word: 'escalate', wave: [] },
  };
};
