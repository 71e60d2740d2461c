// The host through the door: who answers, which methods there are, health, dead letters, cleaning up, going down.
import { methodLines } from '#shared/contracts/acp.ts';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { Call, Handler } from './ports.ts';

/** More open root tasks than this are counted as this many. */
const COUNTED = 1000;

export const ping: Handler<'_hca/ping'> = async (call) => ({ ...call.door.host.identity, open: await countOpen(call) });

export const whoami: Handler<'_hca/whoami'> = async ({ principal }) => principal;

export const listMethods: Handler<'_hca/methods'> = async () => ({ methods: methodLines() });

export const doctor: Handler<'_hca/doctor'> = async ({ door }) => ({ checks: await door.host.health() });

export const gc: Handler<'_hca/gc'> = ({ params, door }) => door.host.gc(params.keep_days);

export const down: Handler<'_hca/down'> = async (call) => {
  const open = await countOpen(call);
  call.door.host.stop();
  return { pid: call.door.host.identity.pid, open };
};

export const listDeadLetters: Handler<'_hca/dead-letter/list'> = async ({ door }) => ({
  letters: await door.host.dead.list(),
});

export const redrive: Handler<'_hca/dead-letter/redrive'> = async ({ params, door }) => {
  const redriven = await door.host.dead.redrive(params.id);
  if (redriven > 0 || params.id === 'all') return { redriven };
  throw new HcaFault('HcaNotFound', {
    message: `there is no dead letter "${params.id}"`,
    field: 'id',
    remedy: 'hca dead-letters list shows them; "all" redrives every one',
  });
};

const countOpen = async ({ door, principal }: Pick<Call<'_hca/ping'>, 'door' | 'principal'>): Promise<number> =>
  (await door.ports.tasks.roots(principal.tenant, { limit: COUNTED, open: true })).length;
