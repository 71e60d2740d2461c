// Sessions on a task's workspace: the producer's own, and the place in it where criteria are run and paid for.

import type { TaskSpec } from '#shared/contracts/offer.ts';
import type { Policy } from '#shared/contracts/policy.ts';
import type { TaskRecord } from '#shared/contracts/task.ts';
import { ChangeSet, type TreeId } from '#shared/contracts/workspace.ts';
import type { ArtifactsRead } from '#shared/ports/artifacts.ts';
import type { Sandbox, SessionOpened } from '#shared/ports/sandbox.ts';
import type { ToolContext } from '#shared/ports/tools.ts';
import { readJson } from './artifacts.ts';
import { workSession } from './sessions.ts';

/** The tree of no files: a task without a workspace works in an empty folder. */
export const EMPTY_TREE: TreeId = '4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945';

interface Ports {
  sandbox: Sandbox;
  artifacts: ArtifactsRead;
}

/** Opens (or enters again) the producer's session: the snapshot with what the task starts from laid over it. */
export const openWork = async (record: TaskRecord, ports: Ports): Promise<SessionOpened & { session: string }> => {
  const { spec } = record;
  const session = workSession(record.id);
  const changes =
    spec.start_from === null
      ? undefined
      : await readJson(record.tenant, { ref: spec.start_from, schema: ChangeSet }, ports);
  const opened = await ports.sandbox.open({
    id: session,
    ...baseOf(spec, record.constraints.policy),
    ...(changes === undefined ? {} : { changes }),
  });
  return { ...opened, session };
};

/** What a session is opened on: the snapshot, the original's absolute path, and whether policy lets it reach a network. */
export const baseOf = (spec: Pick<TaskSpec, 'workspace'>, policy: Policy) => ({
  tree: spec.workspace?.tree ?? EMPTY_TREE,
  // Of another machine's folder there is nothing here to look at, whatever is called the same.
  workspace: spec.workspace === null || spec.workspace.elsewhere === true ? '/workspace' : spec.workspace.root,
  network: policy.network.access === 'allow',
});

interface Where {
  session: string;
  tree: string;
  lane: string;
}

/** Where a task's own checks run, and that its own ledger pays. */
export const placeOf = (record: TaskRecord, where: Where) => ({
  charge: { context: contextOf(record, where), payer: record.id, deadline: record.constraints.deadline },
  tree: where.tree,
});

/** On whose behalf a task's tools are called. */
export const contextOf = (record: TaskRecord, where: Pick<Where, 'session' | 'lane'>): ToolContext => ({
  tenant: record.tenant,
  task: record.id,
  holon: record.holon,
  session: where.session,
  policy: record.constraints.policy,
  lane: where.lane,
});
