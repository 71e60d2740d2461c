// One journal entry of a task -> what an ACP client is shown. Pure: the same entry is the same updates, live and replayed (protocols 9.1).
import type * as acp from '@agentclientprotocol/sdk';
import { parseExecution } from '#shared/contracts/ids.ts';
import type { Entry } from '#shared/contracts/journal.ts';
import { delegated, judged, read, reviewed, worked } from './entry-data.ts';
import { planOf } from './phases.ts';
import type { SessionUpdate, ToolCallContent } from './wire.ts';

/** Updates of one entry; most notes about messages show nothing. */
export const taskUpdates = (entry: Entry): SessionUpdate[] => {
  if (entry.kind === 'note') return noted(entry);
  if (entry.kind === 'delegation') return delegationUpdates(entry);
  if (entry.kind === 'review') return judgeUpdates(entry);
  return entry.record === entry.root ? rootUpdates(entry) : [...callUpdates(entry), ...foldedUpdates(entry)];
};

/** Where an artifact is found: a URI of our own, fetched by `_hca/artifact/get`. */
export const artifactLink = (ref: { id: string; version: number }, more: Partial<acp.ResourceLink> = {}) => ({
  type: 'resource_link' as const,
  uri: `hca://artifacts/${ref.id}@${ref.version}`,
  name: ref.id.split('/').slice(1).join('/') || ref.id,
  ...more,
});

const noted = (entry: Entry): SessionUpdate[] => {
  if (entry.step !== 'acp' || entry.record !== entry.root) return [];
  if (entry.text.startsWith('cancel')) return [{ sessionUpdate: 'notice', severity: 'info', title: entry.text }];
  return [plan(entry)];
};

const plan = (entry: Entry): SessionUpdate => ({ sessionUpdate: 'plan', entries: planOf(entry), _meta: about(entry) });

const rootUpdates = (entry: Entry): SessionUpdate[] => {
  const thought: SessionUpdate[] = THOUGHT.has(entry.step)
    ? [
        {
          sessionUpdate: 'agent_thought_chunk',
          content: text(entry.text),
          messageId: `${entry.record}:${entry.version}`,
        },
      ]
    : [];
  return [plan(entry), ...thought, ...callUpdates(entry)];
};

/** Steps of the root whose words are its reasoning. */
const THOUGHT: ReadonlySet<string> = new Set(['plan', 'collect', 'verdict', 'accept', 'revise', 'escalate']);

/** A tool that was used, or a review that was asked for. */
const callUpdates = (entry: Entry): SessionUpdate[] => {
  const work = read(worked, entry);
  if (work !== undefined && entry.step === 'work') return [toolCall(entry, work)];
  const asked = read(reviewed, entry);
  if (asked === undefined || entry.step !== 'review') return [];
  const title = `${asked.evaluator} reviews ${entry.holon}, iteration ${entry.iteration}`;
  return [
    {
      sessionUpdate: 'tool_call',
      toolCallId: asked.review,
      title,
      kind: 'think',
      status: 'in_progress',
      rawInput: entry.data,
      _meta: about(entry),
    },
  ];
};

const toolCall = (entry: Entry, work: NonNullable<ReturnType<typeof read<typeof worked>>>): SessionUpdate => ({
  sessionUpdate: 'tool_call',
  toolCallId: `${entry.record}:${entry.version}`,
  title: `${entry.holon}: ${entry.text}`,
  name: work.tool,
  kind: KINDS.find(([pattern]) => pattern.test(work.tool))?.[1] ?? 'other',
  status: work.status === 'ok' && (work.exit_code ?? 0) === 0 ? 'completed' : 'failed',
  rawOutput: work,
  _meta: about(entry),
});

const KINDS: readonly [RegExp, acp.ToolKind][] = [
  [/\.(write|edit|move|create|remove|apply)/, 'edit'],
  [/\.(read|list|get)/, 'read'],
  [/\.(search|find|grep)/, 'search'],
  [/^(shell|git)\./, 'execute'],
  [/fetch|http/, 'fetch'],
];

/** What a nested holon does shows as the title of its parent's call; that is how they fold. */
const foldedUpdates = (entry: Entry): SessionUpdate[] => {
  if (!FOLDED.has(entry.step)) return [];
  const call = callOf(entry.record);
  return [
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: call,
      status: 'in_progress',
      title: `${entry.holon}: ${entry.text}`,
    },
  ];
};

const FOLDED: ReadonlySet<string> = new Set(['plan', 'collect', 'revise', 'escalate', 'cancel', 'arbitrate']);

const delegationUpdates = (entry: Entry): SessionUpdate[] => {
  const given = read(delegated, entry);
  if (entry.step === 'delegate') return given?.to === undefined ? [] : [offered(entry, given)];
  const status = DELEGATION_STATUS[entry.state] ?? 'in_progress';
  const artifacts = (given?.artifacts ?? []).map(
    (ref): ToolCallContent => ({ type: 'content', content: artifactLink(ref) }),
  );
  return [
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: entry.record,
      status,
      title: entry.text,
      ...(artifacts.length === 0 ? {} : { content: artifacts }),
      rawOutput: entry.data,
    },
  ];
};

const DELEGATION_STATUS: Readonly<Record<string, acp.ToolCallStatus>> = { done: 'completed', failed: 'failed' };

/** The first offer makes the call; a counter or another child updates it. */
const offered = (entry: Entry, given: NonNullable<ReturnType<typeof read<typeof delegated>>>): SessionUpdate => {
  const call = { toolCallId: entry.record, title: `${entry.holon} ${entry.text}`, status: 'in_progress' as const };
  if (given.offer !== 1 || !given.child?.endsWith('_1')) return { sessionUpdate: 'tool_call_update', ...call };
  return { sessionUpdate: 'tool_call', ...call, kind: 'think', rawInput: entry.data, _meta: about(entry) };
};

const judgeUpdates = (entry: Entry): SessionUpdate[] => {
  const verdict = read(judged, entry);
  const status = verdict?.result === 'pass' ? 'completed' : 'failed';
  return [
    {
      sessionUpdate: 'tool_call_update',
      toolCallId: entry.record,
      status,
      rawOutput: { ...entry.data, reason: entry.text },
      content: [{ type: 'content', content: text(entry.text) }],
    },
  ];
};

/** Who, in which phase, and under whose call. A delegation is made by the execution that caused it. */
const about = (entry: Entry) => {
  const record =
    entry.kind === 'delegation' ? parseExecution(entry.caused_by.split('#')[0] ?? '').record : entry.record;
  const parent = record === entry.root ? {} : { parent: callOf(record) };
  return { hca: { holonId: entry.holon, phase: entry.step, iteration: entry.iteration, ...parent } };
};

/** The call of a child task is its delegation: the child's id without its number. */
const callOf = (record: string): string => record.replace(/_\d+$/, '');

const text = (words: string) => ({ type: 'text' as const, text: words });
