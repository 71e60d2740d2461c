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
  values: readonly Value[];
}

/** One of its values, as it is sent and as a person reads it. */
interface Value {
  value: string;
  name: string;
  description: string;
}

const entry = (value: string, name: string, description: string): Value => ({ value, name, description });

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
    entry('ask', 'Ask', 'Asks before it writes a reviewed change to the folder'),
    entry('always', 'Apply', 'Writes every accepted change to the folder'),
    entry('never', 'Keep', 'Keeps changes as artifacts until you say /apply'),
  ],
};

const FIXED: readonly Choice[] = [
  APPROVAL,
  {
    id: 'answer',
    name: 'Answer when',
    description: 'When a prompt is answered',
    values: [
      entry('done', 'Done', 'When the task is over'),
      entry('accepted', 'Accepted', 'As soon as the root holon accepts it; progress goes on'),
    ],
  },
  {
    id: 'budget',
    name: 'Budget',
    description: 'What one task may spend',
    values: [
      entry('small', 'Small', '100 calls, 5 minutes'),
      entry('standard', 'Standard', '400 calls, 15 minutes'),
      entry('large', 'Large', '2,000 calls, 1 hour'),
    ],
  },
  {
    id: 'effort',
    name: 'Effort',
    description: 'How often a task is tried again after a review that did not accept it',
    category: 'thought_level',
    values: [
      entry('quick', 'Quick', 'One attempt'),
      entry('standard', 'Standard', '3 attempts'),
      entry('thorough', 'Thorough', '8 attempts'),
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
    values: orAny(
      'Whichever fits the goal',
      harnesses.map(({ name, title }) => entry(name, name, title)),
    ),
  };
  const model: Choice = {
    id: 'model',
    name: 'Model',
    description: 'The model a task may use',
    category: 'model',
    values: orAny(
      'Whichever the policy allows',
      models.map((name) => entry(name, name, `Only ${name}`)),
    ),
  };
  return [...FIXED, ...(harnesses.length > 1 ? [harness] : []), ...(models.length > 1 ? [model] : [])];
};

/** No choice is one as well. */
const orAny = (description: string, values: readonly Value[]): Value[] => [entry(ANY, 'Any', description), ...values];
