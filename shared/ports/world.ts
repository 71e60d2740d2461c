// The small ports: holons, lessons, messages, workflows, clock.
import type { ExecutionEvent } from '#shared/contracts/acp-trace.ts';
import type { HolarchyFile, HolonCard } from '#shared/contracts/holon.ts';
import type { Lesson, LessonQuestion } from '#shared/contracts/lesson.ts';
import type { MachineName } from '#shared/contracts/machines.ts';
import type { Message } from '#shared/contracts/messages.ts';

export interface HolonsRead {
  get(tenant: string, id: string): Promise<HolonCard | undefined>;
  all(tenant: string): Promise<HolonCard[]>;
  /** The root's global policy. */
  policy(tenant: string): Promise<HolarchyFile['policy']>;
}

export interface Holons extends HolonsRead {
  /** Adds or replaces a card after the holarchy rules were checked by the caller. */
  put(tenant: string, card: HolonCard): Promise<void>;
  /** Replaces the whole holarchy. */
  load(tenant: string, file: HolarchyFile): Promise<void>;
}

/** A lesson found, with its score and why it matched: words, expanded ones named, and what else counted. */
export interface LessonHit {
  lesson: Lesson;
  score: number;
  why: string[];
}

export interface LessonsRead {
  /** Ranked, best first; only newest versions, and by default only those that may be used. */
  query(tenant: string, query: LessonQuestion): Promise<LessonHit[]>;
  /** The newest version, or the one asked for. */
  get(tenant: string, id: string, version?: number): Promise<Lesson | undefined>;
  /** Every version of a lesson, oldest first (L3-KBS-03). */
  versions(tenant: string, id: string): Promise<Lesson[]>;
  /** Newest versions of all lessons whatever their trust, in the order of their ids; `after` is the id to go on behind. */
  list(tenant: string, page: { limit: number; after?: string }): Promise<Lesson[]>;
  /** Lessons that nothing happened to since a time, longest first: what may have decayed. */
  idle(tenant: string, page: { before: number; limit: number }): Promise<Lesson[]>;
  /** What stands under each key of a sketch, null where nothing does. */
  found(tenant: string, keys: readonly string[]): Promise<(string | null)[]>;
}

export interface Lessons extends LessonsRead {
  /** Stores a version. `there`: this id has a version of the same cause already; `conflict`: somebody else stored this version. */
  put(tenant: string, lesson: Lesson): Promise<'stored' | 'there' | 'conflict'>;
  /** Puts the value under every key, all or none: false when any of them no longer stands as it was found to. */
  claim(
    tenant: string,
    keys: readonly string[],
    what: { value: string; found: readonly (string | null)[] },
  ): Promise<boolean>;
}

export interface Messages {
  /** Publishes at least once each; throws HcaUnavailable when any was not taken. */
  publish(messages: readonly Message[]): Promise<void>;
}

/** How an execution stands. `error`: the name of the one it failed with. */
export interface ExecutionStatus {
  status: 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED';
  started_at: number;
  ended_at: number | null;
  error: string | null;
}

export interface WorkflowsRead {
  describe(machine: MachineName, name: string): Promise<ExecutionStatus | undefined>;
}

/** What executions went through, for people who look; no step reads it. */
export interface History {
  /** Every event so far in time order; empty for an execution that does not exist. */
  events(machine: MachineName, name: string): Promise<ExecutionEvent[]>;
  /** Where a person sees the execution, or null. */
  link(machine: MachineName, name: string): string | null;
}

export interface Workflows extends WorkflowsRead {
  /** Starts by name: open with the same input is `same`, or `started` where a host cannot tell; closed, or open with other input, `refused`. */
  start(
    machine: MachineName,
    name: string,
    input: { tenant: string; task: string },
  ): Promise<'started' | 'same' | 'refused'>;
  /** Resolves a token; a token that timed out or does not exist is ignored. */
  succeed(token: string): Promise<void>;
  /** Fails a token with an ASL error name; ignored like `succeed`. */
  fail(token: string, error: string, cause: string): Promise<void>;
  stop(machine: MachineName, name: string, cause: string): Promise<void>;
}

export interface Clock {
  /** Milliseconds since the epoch. For records and deadlines, never for order. */
  now(): number;
  /** A new ULID. */
  ulid(): string;
}
