// A house whose tools do nothing: the whole path (bus, machines, journal, review) without a sandbox, for tests of the loop and for the bench.

import type { Outside } from '#local/runtime.ts';
import type { Evidence, ToolCall, ToolOutcome } from '#shared/contracts/evidence.ts';
import { HolarchyFile, type HolonCard } from '#shared/contracts/holon.ts';
import { HarnessPackage } from '#shared/contracts/profile.ts';
import type { ChangeSet } from '#shared/contracts/workspace.ts';
import type { ToolContext } from '#shared/ports/tools.ts';
import { memoryProfiles } from './memory-profiles.ts';

const HASH = '0'.repeat(64);

const evidence: Evidence = {
  id: 'no-op',
  kind: 'tool',
  tool: 'no-op',
  arguments_sha256: HASH,
  started_at: '2026-01-01T00:00:00.000Z',
  duration_ms: 0,
  exit_code: 0,
  signal: null,
  timed_out: false,
  stdout_preview: '',
  stderr_preview: '',
  stdout_sha256: HASH,
  stderr_sha256: HASH,
  stdout_bytes: 0,
  stderr_bytes: 0,
  truncated: false,
  confinement: { kind: 'in-process', network: false, memory_limited: false, notes: [] },
};

/** What a tool answers: the text of a file that is read, nothing for everything else. */
export type Reader = (call: ToolCall, context: ToolContext) => string;

/** Ports that do nothing; `read` says what `filesystem.read_file` finds. */
export const noOpOutside = (read: Reader, packages: HarnessPackage[] = [noOpHarness]): Outside => {
  const outcome = (text: string): ToolOutcome => ({
    status: 'ok',
    result: { text, truncated: false },
    evidence,
    rule: 'tools.allow',
  });
  const change: ChangeSet = { base: HASH, files: [] };
  const opened = { tree: HASH, confinement: evidence.confinement, reentered: false };
  const never = () => Promise.reject(new Error('the no-op house has no such thing'));
  return {
    profiles: memoryProfiles(packages),
    tools: {
      list: async () => [],
      discover: async () => [],
      call: async (context, call) => outcome(read(call, context)),
      release: async () => undefined,
    },
    sandbox: {
      open: async () => opened,
      run: never,
      spawn: never,
      read: async () => null,
      write: async () => undefined,
      remove: async () => false,
      list: async () => [],
      snapshot: async () => HASH,
      restore: async () => undefined,
      archive: async () => change,
      interrupt: async () => undefined,
      close: async () => undefined,
      sweep: async () => [],
    },
    workspaces: {
      take: never,
      list: async () => [],
      read: async () => null,
      apply: never,
      recover: async () => [],
      collect: never,
    },
  };
};

const profile = {
  name: 'no-op',
  version: 1,
  agent: { lanes: {}, attribution: { holon: true, lane: true, tools: true } },
  routing: {
    default_lane: 'worker',
    escalate_to: null,
    stronger_from: { openness: 1, coupling: 1, consequence: 1, weak_validator: 1 },
  },
  parallelism: { child_depth: 3, concurrency: 4 },
  context: {
    input_tokens: 0,
    shares: { policy: 0, tools: 0, artifacts: 0, retrieval: 0, recent: 0, user: 0, margin: 1 },
    overflow: ['blocked'],
  },
  retrieval: { lessons: 5, queries: 1, min_score: 0, domains: [] },
  tools: { allowed: ['**'], side_effects: 'local_write', write_paths: ['**'], listed: 16 },
  verification: { baseline: true, rerun: true, confirm_runs: 1, retries: 3, no_progress: 2 },
  clarification: { posture: 'block', questions: 0 },
  rollout: { active: true, canary_percent: 100, guarded: [] },
};

/** One family, `turn`, whose frozen tool may be taken in every iteration and whose criterion reads one file. */
export const noOpHarness: HarnessPackage = HarnessPackage.parse({
  name: 'no-op',
  version: 1,
  title: 'No operation',
  profile,
  families: ['turn', 'left', 'right'].map((name) => ({
    name,
    title: `takes the ${name}`,
    examples: [`take the ${name}`],
    project: false,
    grammar: { clause: [`take the ${name} => done`] },
  })),
  tools: [
    {
      name: 'turn',
      version: 1,
      purpose: 'does nothing',
      families: ['turn', 'left', 'right'],
      side_effect: 'local_write',
      rank: 1,
      again: true,
      needs: { tools: [] },
      declares: { calls: 2, time_ms: 10 },
      steps: [
        {
          call: { tool: 'filesystem.write_file', arguments: { path: 'turn.txt', content: '${iteration}' } },
          note: 'turns',
        },
      ],
    },
  ],
  criteria: [
    { name: 'done', use: 'check', text: 'it is done', check: { kind: 'file', path: 'turn.txt', matches: 'done' } },
  ],
  readiness: [],
  catalogue: null,
});

/** The card of a leaf that does nothing but its family. */
export const leaf = (id: string, parent: string, families: string[]): Partial<HolonCard> => ({
  id,
  role: 'leaf',
  parent,
  harness: 'no-op',
  families,
});

/** Root, one domain, three leaves, one evaluator. */
export const noOpHolarchy: HolarchyFile = HolarchyFile.parse({
  version: 1,
  policy: {
    tools: { allow: ['**'] },
    side_effects: 'local_write',
    paths: { write: ['**'] },
    servers: ['filesystem', 'shell'],
  },
  holons: [
    { id: 'root', role: 'root', can_delegate: true, capacity: 10_000 },
    { id: 'works', role: 'domain', parent: 'root', can_delegate: true, capacity: 10_000 },
    { ...leaf('turner', 'works', ['turn']), capacity: 10_000 },
    { ...leaf('lefty', 'works', ['left']), capacity: 10_000 },
    { ...leaf('righty', 'works', ['right']), capacity: 10_000 },
    { id: 'judge', role: 'leaf', parent: 'root', evaluates: true, capacity: 10_000 },
  ],
});
