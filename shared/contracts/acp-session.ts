// What an ACP session keeps: connections, sessions, turns, requests to the client, and how far each connection has read (architecture 8).
// What happened in it is in acp-session-events.ts; what a task did stays in the journal of that task.
import * as z from 'zod';
import { Scope } from './acp-host.ts';
import { Budget } from './budget.ts';
import { ClientServer } from './client-server.ts';
import { RootId } from './ids.ts';

/**
 * How a change gets into the folder, when a prompt is answered, what it may cost, how many attempts a task has, and with which harness package and
 * which model it is done; null: whatever fits.
 */
export const SessionOptions = z.object({
  approval: z.enum(['ask', 'always', 'never']).default('ask'),
  answer: z.enum(['done', 'accepted']).default('done'),
  budget: z.enum(['small', 'standard', 'large']).default('standard'),
  effort: z.enum(['quick', 'standard', 'thorough']).default('standard'),
  harness: z.string().nullable().default(null),
  model: z.string().nullable().default(null),
});
export type SessionOptions = z.infer<typeof SessionOptions>;

const owner = { tenant: z.string(), subject: z.string() };

/**
 * A client that said `initialize`. `reads`, `writes`: it offers its own view of text files, unsaved buffers included; `elicits`: it shows forms. `expires_at` (ms) and `scopes` are
 * of the newest token it has shown; null: it came without one that ends.
 */
export const AcpConnection = z.object({
  ...owner,
  id: z.string(),
  client: z.string(),
  reads: z.boolean(),
  writes: z.boolean(),
  elicits: z.boolean().default(false),
  expires_at: z.int().nullable().default(null),
  scopes: z.array(Scope).nullable().default(null),
  opened_at: z.int(),
});
export type AcpConnection = z.infer<typeof AcpConnection>;

/** A session: one folder, its options, its title once a goal was given, and the MCP servers its client brought and policy lets in. */
export const AcpSession = z.object({
  ...owner,
  id: RootId,
  cwd: z.string(),
  title: z.string().nullable(),
  options: SessionOptions,
  servers: z.array(ClientServer).default([]),
  opened_at: z.int(),
  updated_at: z.int(),
});
export type AcpSession = z.infer<typeof AcpSession>;

/** Whose request a turn answers. */
export const TurnCaller = z.object({ connection: z.string(), rpc: z.union([z.string(), z.number(), z.null()]) });

export const TurnStage = z.enum(['new', 'clarifying', 'running', 'asking', 'reading', 'applying', 'writing', 'over']);
export type TurnStage = z.infer<typeof TurnStage>;

/**
 * One prompt and how far it is. `given`: terms a client sent beside the text (`_meta.hca.task`). `task` is the id the task gets, made with the turn, so that submitting again is the same task. `questions`:
 * how often the person was asked what is meant; `servers`: the session's when it began; `cancel` is a mark beside it, set once from outside; `claimed_until` keeps a second process from applying the same change at the same time (ms).
 */
export const AcpTurn = z.object({
  tenant: z.string(),
  session: z.string(),
  id: RootId,
  version: z.int().min(1),
  caller: TurnCaller,
  /** What whoever asked might do; left out by versions before. */
  scopes: z.array(Scope).optional(),
  text: z.string(),
  given: z.record(z.string(), z.unknown()),
  task: RootId,
  submitted: z.boolean(),
  questions: z.int().default(0),
  servers: z.array(ClientServer).default([]),
  stage: TurnStage,
  open: z.boolean(),
  cancel: z.enum(['session', 'request']).nullable(),
  claimed_until: z.int(),
  at: z.int(),
});
export type AcpTurn = z.infer<typeof AcpTurn>;

/** A request of ours to the client. `answer` is written once; at the `deadline` (ms) no answer is a refusal. */
export const AcpRequest = z.object({
  tenant: z.string(),
  id: z.string(),
  session: z.string(),
  turn: z.string(),
  method: z.enum(['session/request_permission', 'elicitation/create', 'fs/read_text_file', 'fs/write_text_file']),
  params: z.record(z.string(), z.unknown()),
  deadline: z.int(),
  sent_to: z.string().nullable(),
  answer: z.union([z.object({ result: z.unknown() }), z.object({ error: z.string() })]).nullable(),
});
export type AcpRequest = z.infer<typeof AcpRequest>;

/** What a connection was last told that a task had spent, and when (ms). */
const Used = z.object({ at: z.int(), spent: Budget });

/** How far a connection has read a session: behind which event, and behind which entry of every task that is not over. */
export const Position = z.object({
  session: z.string(),
  tasks: z.array(z.object({ turn: z.string(), task: z.string(), cursor: z.string(), used: Used.optional() })),
});
export type Position = z.infer<typeof Position>;

/**
 * A connection follows a session. `version` counts the moves of its position; until `claimed_until` (ms) one process is sending what is owed, and others
 * leave it to that one.
 */
export const Attachment = z.object({
  tenant: z.string(),
  connection: z.string(),
  session: z.string(),
  version: z.int().min(1),
  claimed_until: z.int().default(0),
  position: Position,
});
export type Attachment = z.infer<typeof Attachment>;
