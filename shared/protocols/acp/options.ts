// What a person may choose in a session, as ACP config options; the approval is also a mode, for clients that only know modes.
import type * as acp from '@agentclientprotocol/sdk';
import { SessionOptions } from '#shared/contracts/acp-session.ts';

interface Choice {
  id: keyof SessionOptions;
  name: string;
  description: string;
  category?: string;
  values: readonly { value: string; name: string; description: string }[];
}

const APPROVAL: Choice = {
  id: 'approval',
  name: 'Accepted changes',
  description: 'How a reviewed change gets into your folder',
  category: 'mode',
  values: [
    { value: 'ask', name: 'Ask', description: 'Asks before it writes a reviewed change to the folder' },
    { value: 'always', name: 'Apply', description: 'Writes every accepted change to the folder' },
    { value: 'never', name: 'Keep', description: 'Keeps changes as artifacts until you say /apply' },
  ],
};

const CHOICES: readonly Choice[] = [
  APPROVAL,
  {
    id: 'answer',
    name: 'Answer when',
    description: 'When a prompt is answered',
    values: [
      { value: 'done', name: 'Done', description: 'When the task is over' },
      { value: 'accepted', name: 'Accepted', description: 'As soon as the root holon accepts it; progress goes on' },
    ],
  },
  {
    id: 'budget',
    name: 'Budget',
    description: 'What one task may spend',
    values: [
      { value: 'small', name: 'Small', description: '100 calls, 5 minutes' },
      { value: 'standard', name: 'Standard', description: '400 calls, 15 minutes' },
      { value: 'large', name: 'Large', description: '2,000 calls, 1 hour' },
    ],
  },
];

/** The presets as `--budget` takes them; what is not named is the default. */
export const BUDGETS: Readonly<Record<SessionOptions['budget'], string | undefined>> = {
  small: 'calls=100,time=5m',
  standard: undefined,
  large: 'calls=2000,time=60m,attempts=40',
};

/** The complete list, as every change answers it (CONFIG-002). */
export const configOptions = (options: SessionOptions): acp.SessionConfigOption[] =>
  CHOICES.map(({ id, name, description, category, values }) => ({
    type: 'select',
    id,
    name,
    description,
    ...(category === undefined ? {} : { category }),
    currentValue: options[id],
    options: values.map((value) => ({ ...value })),
  }));

export const modes = (options: SessionOptions): acp.SessionModeState => ({
  currentModeId: options.approval,
  availableModes: APPROVAL.values.map(({ value, name, description }) => ({ id: value, name, description })),
});

/** Options with one changed, or undefined when there is no such option or value. */
export const chosen = (options: SessionOptions, id: string, value: unknown): SessionOptions | undefined => {
  if (!CHOICES.some((choice) => choice.id === id)) return undefined;
  return SessionOptions.safeParse({ ...options, [id]: value }).data;
};
