// What a person may choose in a session, as ACP config options; the approval is also a mode, for clients that only know modes.
import type * as acp from '@agentclientprotocol/sdk';
import { SessionOptions } from '#shared/contracts/acp-session.ts';
import { ANY, APPROVAL, type Choice, choicesOf, type Offers } from './choices.ts';

/** The complete list, as every change answers it (CONFIG-002). */
export const configOptions = (options: SessionOptions, offers: Offers): acp.SessionConfigOption[] =>
  choicesOf(offers).map((choice) => ({
    type: 'select',
    id: choice.id,
    name: choice.name,
    description: choice.description,
    ...(choice.category === undefined ? {} : { category: choice.category }),
    currentValue: currentOf(options, choice),
    options: choice.values.map((value) => ({ ...value })),
  }));

export const modes = (options: SessionOptions): acp.SessionModeState => ({
  currentModeId: options.approval,
  availableModes: APPROVAL.values.map(({ value, name, description }) => ({ id: value, name, description })),
});

/** Options with one changed, or undefined when there is no such option or value. */
export const chosen = (
  options: SessionOptions,
  { id, value }: { id: string; value: unknown },
  offers: Offers,
): SessionOptions | undefined => {
  const choice = choicesOf(offers).find((one) => one.id === id);
  if (choice?.values.some((one) => one.value === value) !== true) return undefined;
  return SessionOptions.safeParse({ ...options, [id]: value === ANY ? null : value }).data;
};

/** The options that count: what is not offered any more is as if it had not been chosen. */
export const effective = (options: SessionOptions, offers: Offers): SessionOptions => {
  const choices = choicesOf(offers);
  const isOffered = (id: Choice['id']) =>
    choices.some((choice) => choice.id === id && choice.values.some(({ value }) => value === options[id]));
  return {
    ...options,
    harness: isOffered('harness') ? options.harness : null,
    model: isOffered('model') ? options.model : null,
  };
};

/** One of the values, always (CONFIG-001). */
const currentOf = (options: SessionOptions, { id, values }: Choice): string => {
  const value = options[id] ?? ANY;
  return values.some((one) => one.value === value) ? value : (values[0]?.value ?? ANY);
};
