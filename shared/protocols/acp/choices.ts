// What a person may choose in a session: the fixed choices, and those that the house offers where it has several of something.
import type { SessionOptions } from '#shared/contracts/acp-session.ts';

/** Harness packages by name and title, and models, that a task of this house may be done with. */
export interface Offers {
  harnesses: readonly { name: string; title: string }[];
  models: readonly string[];
}

/** One choice. `value` null of an option is the choice `ANY`. */
export interface Choice {
  id: keyof SessionOptions;
  name: string;
  description: string;
  category?: string;
  values: readonly { value: string; name: string; description: string }[];
}

/** What stands for "whatever fits"; no package and no model is called that. */
export const ANY = 'any';

/** The presets as `--budget` takes them; what is not named is the default. */
export const BUDGETS: Readonly<Record<SessionOptions['budget'], string | undefined>> = {
  small: 'calls=100,time=5m',
  standard: undefined,
  large: 'calls=2000,time=60m,attempts=40',
};

/** Attempts before a task goes up. */
export const RETRIES: Readonly<Record<SessionOptions['effort'], number>> = { quick: 1, standard: 3, thorough: 8 };

export const APPROVAL: Choice = {
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

const FIXED: readonly Choice[] = [
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
  {
    id: 'effort',
    name: 'Effort',
    description: 'How often a task is tried again after a review that did not accept it',
    category: 'thought_level',
    values: [
      { value: 'quick', name: 'Quick', description: 'One attempt' },
      { value: 'standard', name: 'Standard', description: '3 attempts' },
      { value: 'thorough', name: 'Thorough', description: '8 attempts' },
    ],
  },
];

/** Every choice there is: one with less than two possibilities is none. */
export const choicesOf = ({ harnesses, models }: Offers): Choice[] => {
  const harness: Choice = {
    id: 'harness',
    name: 'Harness',
    description: 'The harness package a task is done with',
    category: '_harness',
    values: [
      { value: ANY, name: 'Any', description: 'Whichever fits the goal' },
      ...harnesses.map(({ name, title }) => ({ value: name, name, description: title })),
    ],
  };
  const model: Choice = {
    id: 'model',
    name: 'Model',
    description: 'The model a task may use',
    category: 'model',
    values: [
      { value: ANY, name: 'Any', description: 'Whichever the policy allows' },
      ...models.map((name) => ({ value: name, name, description: `Only ${name}` })),
    ],
  };
  return [...FIXED, ...(harnesses.length > 1 ? [harness] : []), ...(models.length > 1 ? [model] : [])];
};
