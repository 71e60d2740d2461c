// The register of steps: one row per function (architecture section 4). Plain data; its readers are the types of a step's ports,
// perform, the hosts, the grants of the cloud stack, the machine tests and the generated reference.
import * as z from 'zod';
import { MachineInput, MessageInput, SweepInput } from './step-inputs.ts';

const word = <const W extends readonly [string, ...string[]]>(words: W) => z.object({ word: z.enum(words) });

/** Kinds of access a row may name; the types of what each allows are in `ports/index.ts`. */
export type Access = 'release' | 'read' | 'write' | 'call';

/**
 * A row. `straight`: the word with which a machine goes straight on, where its state does not say what it expects; any other is thrown once it is
 * committed, so that the way that is taken almost always pays for no Choice (docs/decisions/0041). `record`: what the step works on. `heeds`: it stops when its record or root is marked. `slice_ms`: repeats while `more`. */
export interface StepRow {
  input: z.ZodType;
  output: z.ZodType;
  ports: Record<string, Access>;
  record: 'task' | 'delegation' | 'review' | 'any' | 'none';
  heeds: boolean;
  waits: boolean;
  slice_ms: number;
  straight: string | null;
}

const machine = { input: MachineInput, heeds: true, waits: false, slice_ms: 0, straight: null } as const;
const message = { input: MessageInput, heeds: false, waits: false, slice_ms: 0, straight: null } as const;
const look = { tasks: 'read', clock: 'read' } as const;

/** Turns of one visit that no machine loops over: a slice that ended early, as on a laptop that slept, would end the task half-way. */
const WHOLE = Number.POSITIVE_INFINITY;

export const STEPS = {
  answer: {
    ...message,
    record: 'task',
    output: word(['accept', 'reject', 'counter', 'none']),
    ports: { ...look, holons: 'read', profiles: 'read', lessons: 'read', marks: 'read', workspaces: 'read' },
  },
  plan: {
    ...machine,
    record: 'task',
    slice_ms: WHOLE,
    output: z.object({
      word: z.enum(['more', 'leaf', 'coordinator', 'review', 'compound', 'escalate']),
      deadline: z.int(),
      wave: z.array(z.string()).max(40),
    }),
    ports: {
      ...look,
      holons: 'read',
      profiles: 'read',
      lessons: 'read',
      ledger: 'call',
      artifacts: 'write',
      sandbox: 'call',
      tools: 'call',
      marks: 'read',
      workspaces: 'read',
    },
  },
  work: {
    ...machine,
    record: 'task',
    straight: 'done',
    slice_ms: 60_000,
    output: word(['more', 'done', 'escalate']),
    ports: {
      ...look,
      workspaces: 'read',
      ledger: 'call',
      artifacts: 'write',
      sandbox: 'call',
      tools: 'call',
      marks: 'read',
    },
  },
  delegate: {
    ...machine,
    record: 'delegation',
    waits: true,
    output: word(['waiting']),
    ports: { ...look, ledger: 'read', holons: 'read' },
  },
  settle: {
    ...machine,
    record: 'delegation',
    output: word(['done', 'arbitrate']),
    ports: { ...look, waits: 'read' },
  },
  arbitrate: {
    ...machine,
    record: 'any',
    output: z.object({ word: z.enum(['again', 'done', 'wave', 'escalate']), wave: z.array(z.string()).max(40) }),
    ports: { ...look, holons: 'read', waits: 'write', ledger: 'write' },
  },
  collect: {
    ...machine,
    record: 'task',
    straight: 'review',
    output: z.object({ word: z.enum(['wave', 'review', 'conflict', 'escalate']), wave: z.array(z.string()).max(40) }),
    ports: { ...look, artifacts: 'write', ledger: 'read', waits: 'read' },
  },
  review: { ...machine, record: 'task', waits: true, output: word(['waiting']), ports: { ...look, holons: 'read' } },
  verdict: {
    ...machine,
    record: 'task',
    output: word(['accept', 'revise', 'review', 'escalate']),
    ports: { ...look, holons: 'read', profiles: 'read', waits: 'write', ledger: 'read' },
  },
  judge: {
    ...machine,
    record: 'review',
    output: word(['told']),
    ports: {
      ...look,
      holons: 'read',
      ledger: 'call',
      artifacts: 'write',
      sandbox: 'call',
      tools: 'call',
      marks: 'read',
      profiles: 'read',
    },
  },
  revise: { ...machine, record: 'task', output: word(['plan']), ports: { ...look } },
  accept: { ...machine, record: 'task', output: word(['compound']), ports: { ...look, waits: 'read' } },
  escalate: {
    ...machine,
    record: 'task',
    output: word(['compound']),
    ports: { ...look, ledger: 'read', artifacts: 'read' },
  },
  compound: {
    ...machine,
    heeds: false,
    record: 'task',
    slice_ms: WHOLE,
    output: word(['more', 'end']),
    ports: { ...look, holons: 'read', ledger: 'read', sandbox: 'call', tools: 'release' },
  },
  cancel: {
    ...machine,
    heeds: false,
    waits: true,
    record: 'task',
    output: word(['waiting', 'cancelled']),
    ports: { ...look, holons: 'read', waits: 'write', ledger: 'read', sandbox: 'call', tools: 'release' },
  },
  learn: {
    ...message,
    record: 'none',
    output: word(['learned']),
    ports: { ...look, lessons: 'write', messages: 'write', journal: 'write' },
  },
  route: {
    ...message,
    record: 'none',
    output: word(['routed', 'dropped']),
    ports: { ...look, waits: 'write', marks: 'write', workflows: 'write', journal: 'write', sandbox: 'call' },
  },
  sweep: {
    input: SweepInput,
    heeds: false,
    waits: false,
    slice_ms: 0,
    straight: null,
    record: 'none',
    output: word(['swept']),
    ports: {
      tasks: 'write',
      clock: 'read',
      holons: 'read',
      ledger: 'write',
      waits: 'write',
      marks: 'write',
      workflows: 'write',
      messages: 'write',
      journal: 'write',
    },
  },
} as const satisfies Record<string, StepRow>;

export type StepName = keyof typeof STEPS;
export type StepInput<S extends StepName> = z.infer<(typeof STEPS)[S]['input']>;
export type StepOutput<S extends StepName> = z.infer<(typeof STEPS)[S]['output']>;
