// Slash commands of a session: what they are called and what the client may show about them.
import type * as acp from '@agentclientprotocol/sdk';

export const COMMANDS = [
  { name: 'status', description: 'How the last task stands', hint: null },
  { name: 'apply', description: 'Write the last accepted change to the folder', hint: null },
  { name: 'cancel', description: 'Stop what is running', hint: null },
  {
    name: 'approve',
    description: 'Answer a question that is open, or say how it is from now on',
    hint: 'once | always | no; ask | always | never',
  },
  { name: 'artifacts', description: 'What the last task produced', hint: null },
  { name: 'lessons', description: 'What was learned about a topic', hint: 'topic' },
] as const;
export type CommandName = (typeof COMMANDS)[number]['name'];

/** A command and what stands behind it; undefined when the text is none. An unknown word is `null`. */
export const readCommand = (text: string): { name: CommandName | null; rest: string } | undefined => {
  const match = /^\/([a-z-]+)(?:\s+(.*))?$/s.exec(text.trim());
  if (match === null) return undefined;
  const known = COMMANDS.find(({ name }) => name === match[1]);
  return { name: known?.name ?? null, rest: (match[2] ?? '').trim() };
};

export const availableCommands = (): acp.AvailableCommand[] =>
  COMMANDS.map(({ name, description, hint }) => ({
    name,
    description,
    ...(hint === null ? {} : { input: { hint } }),
  }));
