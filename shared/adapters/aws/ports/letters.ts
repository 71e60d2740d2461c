// The dead-letter queue; its client is loaded when somebody asks.
import { VARIABLES } from '#shared/contracts/storage.ts';
import type { DeadLetters } from '../sqs-dead-letters.ts';
import { type Build, variable } from './environment.ts';

export const letters: Build<DeadLetters> = (variables) => {
  variable(variables, VARIABLES.letters);
  const load = async (): Promise<DeadLetters> => (await import('./dead-letters.ts')).deadLetters(variables);
  return {
    list: async () => (await load()).list(),
    redrive: async (which) => (await load()).redrive(which),
  };
};
