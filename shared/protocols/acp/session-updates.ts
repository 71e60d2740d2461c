// One event of a session -> what an ACP client is shown. Pure, like the updates of a task's entries.
import type * as acp from '@agentclientprotocol/sdk';
import type { SessionEvent } from '#shared/contracts/acp-session-events.ts';
import type { Offers } from './choices.ts';
import { availableCommands } from './commands.ts';
import { configOptions, modes } from './options.ts';
import { artifactLink } from './task-updates.ts';
import { usageUpdate } from './usage.ts';
import type { SessionUpdate, ToolCallContent } from './wire.ts';

/**
 * `own`: this connection sent the prompt, so it shows it already. `diffs`: the change's texts, read from its artifact. `offers`: what can be chosen
 * among, for an event about options.
 */
export interface Shown {
  own: boolean;
  diffs: acp.Diff[];
  offers: Offers;
}

type Of<E extends SessionEvent['event']> = Extract<SessionEvent, { event: E }>;

/** Updates of one event, in order. The answer to a prompt is not among them. */
export const sessionUpdates = (event: SessionEvent, shown: Shown): SessionUpdate[] => {
  switch (event.event) {
    case 'opened':
      return [{ sessionUpdate: 'available_commands_update', availableCommands: availableCommands() }];
    case 'options':
      return optionUpdates(event, shown);
    case 'prompt':
      return promptUpdates(event, shown);
    case 'task':
      return event.continues === null ? [] : [thought(event.turn, `Goes on from task ${event.continues}.`)];
    case 'said':
      return saidUpdates(event);
    case 'clarified':
      return clarifiedUpdates(event);
    case 'notice':
      return [{ sessionUpdate: 'notice', severity: event.severity, title: event.title, description: event.text }];
    case 'result':
      return resultUpdates(event);
    case 'change':
      return [changeUpdate(event, shown.diffs)];
    case 'decided':
      return [decidedUpdate(event)];
    case 'applied':
      return appliedUpdates(event);
    case 'end':
      return [];
  }
};

/** The tool call that applying a change is. */
export const applyCall = (turn: string): string => `apply-${turn}`;

const text = (words: string) => ({ type: 'text' as const, text: words });

const message = (messageId: string, words: string): SessionUpdate => ({
  sessionUpdate: 'agent_message_chunk',
  content: text(words),
  messageId,
});

const thought = (turn: string, words: string): SessionUpdate => ({
  sessionUpdate: 'agent_thought_chunk',
  content: text(words),
  messageId: `${turn}:thought`,
});

const optionUpdates = ({ options }: Of<'options'>, { offers }: Shown): SessionUpdate[] => [
  { sessionUpdate: 'config_option_update', configOptions: configOptions(options, offers) },
  { sessionUpdate: 'current_mode_update', currentModeId: modes(options).currentModeId },
];

const promptUpdates = (event: Of<'prompt'>, { own }: Shown): SessionUpdate[] => [
  ...(own
    ? []
    : [{ sessionUpdate: 'user_message_chunk' as const, content: text(event.text), messageId: `${event.turn}:user` }]),
  ...(event.title === null ? [] : [{ sessionUpdate: 'session_info_update' as const, title: event.title }]),
];

const saidUpdates = (event: Of<'said'>): SessionUpdate[] => [
  message(`${event.turn}:said`, event.text),
  ...event.links.map(
    ({ id, version, media_type, bytes }): SessionUpdate => ({
      sessionUpdate: 'agent_message_chunk',
      content: artifactLink({ id, version }, { mimeType: media_type, size: bytes }),
      messageId: `${event.turn}:said`,
    }),
  ),
];

/** The question and its answer, for whoever reads on later; the client that was asked has seen a form. */
const clarifiedUpdates = ({ turn, question, answer }: Of<'clarified'>): SessionUpdate[] => [
  message(`${turn}:clarified`, question),
  ...(answer === null
    ? []
    : [
        {
          sessionUpdate: 'user_message_chunk' as const,
          content: text(answer.command === null ? answer.goal : `${answer.goal}\nThis must pass: ${answer.command}`),
          messageId: `${turn}:clarified:answer`,
        },
      ]),
];

const resultUpdates = (event: Of<'result'>): SessionUpdate[] => [
  usageUpdate(event.spent, event.budget),
  ...(event.outcome === 'escalated' || event.outcome === 'rejected'
    ? [{ sessionUpdate: 'notice' as const, severity: 'warning', title: `The task was ${event.outcome}` }]
    : []),
  message(`${event.turn}:result`, event.text),
];

const changeUpdate = (event: Of<'change'>, diffs: acp.Diff[]): SessionUpdate => ({
  sessionUpdate: 'tool_call',
  toolCallId: applyCall(event.turn),
  title: `Apply ${event.files.length} changed file(s) to ${event.root}`,
  kind: 'edit',
  status: 'pending',
  content: changeContent(event, diffs),
  locations: event.files.slice(0, 50).map(({ path }) => ({ path: `${event.root}/${path}` })),
});

/** The change as an editor shows it: what fits as diffs, and always the artifact that holds all of it. */
export const changeContent = (event: Of<'change'>, diffs: acp.Diff[]): ToolCallContent[] => [
  { type: 'content', content: artifactLink(event.artifact) },
  ...diffs.map((diff): ToolCallContent => ({ type: 'diff', ...diff })),
];

const decidedUpdate = ({ turn, decision }: Of<'decided'>): SessionUpdate => {
  const toolCallId = applyCall(turn);
  const goesOn = decision === 'once' || decision === 'always';
  if (goesOn) return { sessionUpdate: 'tool_call_update', toolCallId, status: 'in_progress' };
  return { sessionUpdate: 'tool_call_update', toolCallId, status: 'failed', title: `Not applied: ${decision}` };
};

const appliedUpdates = ({ turn, files, conflicts, left, patch }: Of<'applied'>): SessionUpdate[] => {
  const failed = conflicts.length > 0 || files.length === 0;
  const words = [
    files.length === 0 ? 'Nothing was written.' : `Written: ${files.join(', ')}`,
    ...conflicts.map(({ path, reason }) => `- ${path}: ${reason}`),
    ...(left.length === 0 ? [] : ['Left to you:', ...left.map(({ path, reason }) => `- ${path}: ${reason}`)]),
  ];
  return [
    { sessionUpdate: 'tool_call_update', toolCallId: applyCall(turn), status: failed ? 'failed' : 'completed' },
    message(`${turn}:applied`, words.join('\n')),
    ...(patch === null ? [] : [linkTo(turn, patch)]),
  ];
};

/** All of the change, for what was left. */
const linkTo = (turn: string, patch: { id: string; version: number }): SessionUpdate => ({
  sessionUpdate: 'agent_message_chunk',
  content: artifactLink(patch, { mimeType: 'text/x-patch', title: 'The whole change, for git apply' }),
  messageId: `${turn}:applied`,
});
