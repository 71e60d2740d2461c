// The small ports: holons, lessons, messages, workflows, clock.
import type { HolarchyFile, HolonCard } from '#shared/contracts/holon.ts';
import type { Lesson, LessonQuery } from '#shared/contracts/lesson.ts';
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

/** A lesson found, with its score. */
export interface LessonHit {
  lesson: Lesson;
  score: number;
}

export interface LessonsRead {
  query(tenant: string, query: LessonQuery): Promise<LessonHit[]>;
  get(tenant: string, id: string): Promise<Lesson | undefined>;
}

export interface Lessons extends LessonsRead {
  /** Stores; false when this id and version is there already. */
  put(tenant: string, lesson: Lesson): Promise<boolean>;
}

export interface Messages {
  /** Publishes at least once each; throws HcaUnavailable when any was not taken. */
  publish(messages: readonly Message[]): Promise<void>;
}

/** How an execution stands. */
export interface ExecutionStatus {
  status: 'RUNNING' | 'SUCCEEDED' | 'FAILED' | 'TIMED_OUT' | 'ABORTED';
  started_at: number;
  ended_at: number | null;
}

export type MachineName = 'task' | 'review';

export interface WorkflowsRead {
  describe(machine: MachineName, name: string): Promise<ExecutionStatus | undefined>;
}

export interface Workflows extends WorkflowsRead {
  /** Starts by name: `same` while open with the same input, `refused` when closed or open with other input. */
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
