// The pool of sandbox tasks, for whoever keeps it.
import { VARIABLES } from '#shared/contracts/storage.ts';
import { keepPool } from '../fargate-pool.ts';
import { sandboxTasks } from '../sandbox-servers.ts';
import { clock } from './clock.ts';
import { connecting } from './connecting.ts';
import { type Variables, variable } from './environment.ts';
import { secretTexts } from './secret-texts.ts';

/** A sandbox that nobody asked anything for so long is stopped: longer than any pause between two turns of a task. */
const IDLE_SECONDS = 900;

/** One round. @throws HcaFault HcaBadInput, when the function starts, naming a variable that is missing */
export const poolUpkeep = (variables: Variables) => {
  const warm = Number(variable(variables, VARIABLES.sandboxWarm));
  const { now } = clock(variables);
  return async (): Promise<{ stopped: number; started: number }> => {
    const keys = secretTexts(variables);
    const place = await sandboxTasks(variables, {
      secret: (name) => keys.read(name),
      client: connecting(variables),
      tags: { 'hca:deployment': variables[VARIABLES.deployment] ?? 'hca', 'hca:part': 'sandbox' },
    });
    return keepPool(place, { warm, idle_seconds: IDLE_SECONDS, now: now() });
  };
};
