// Holons through the door: cards (L1-CAP-01), and what each is doing (L1-ST-02, L1-ST-03).
import type { HolonStatus } from '#shared/contracts/acp-host.ts';
import { HcaFault, type Problem } from '#shared/contracts/errors.ts';
import type { HolonCard } from '#shared/contracts/holon.ts';
import type { AnyRecord } from '#shared/contracts/task.ts';
import { checkHolarchy } from '#shared/domain/holarchy.ts';
import { canMoveHolon, HOLON_MOVES, holonActivity, isTerminal } from '#shared/domain/lifecycle.ts';
import type { DoorHouse, Handler } from './ports.ts';
import { asFault } from './terms.ts';

/** What a holon does for somebody is looked for in this many of their open root tasks, the newest; `open` counts everybody's. */
const OPEN_ROOTS = 100;

export const listHolons: Handler<'_hca/holon/list'> = async ({ principal, door }) => ({
  holons: await door.ports.holons.all(principal.tenant),
});

export const getCard: Handler<'_hca/holon/card'> = async ({ params, principal, door }) =>
  cardOf(door.ports, principal.tenant, params.holon);

export const holonStatus: Handler<'_hca/holon/status'> = async ({ params, principal, door }) => {
  const { ports } = door;
  const card = await cardOf(ports, principal.tenant, params.holon);
  const mine = { limit: OPEN_ROOTS, open: true, owner: principal.subject };
  const roots = await ports.tasks.roots(principal.tenant, mine);
  const records = await Promise.all(roots.map((row) => ports.tasks.below(principal.tenant, row.id)));
  const doing = records.flat().filter((record) => record.holon === card.id && isOpen(record));
  const states = doing.map((record) => (record.kind === 'task' ? record.state : 'reviewing'));
  return {
    holon: card.id,
    state: card.state,
    activity: holonActivity(states),
    capacity: card.capacity,
    open: await ports.tasks.openOf(principal.tenant, card.id),
    doing: doing.map(doingLine),
  };
};

/**
 * Adds or replaces a card, if the holarchy is still one afterwards and the holon's state makes a legal move (L2-FSM-02).
 * @throws HcaFault HcaBadInput naming the field of the card.
 */
export const addHolon: Handler<'_hca/holon/add'> = async ({ params, principal, door }) => {
  const { holons } = door.ports;
  const all = await holons.all(principal.tenant);
  const others = all.filter((card) => card.id !== params.card.id);
  const at = others.length;
  const problem = checkHolarchy([...others, params.card])[0];
  if (problem !== undefined) throw asFault({ ...problem, field: fieldOf(problem, at) });
  const before = all.find((card) => card.id === params.card.id)?.state ?? params.card.state;
  if (!canMoveHolon(before, params.card.state)) throw asFault(illegalMove(before, params.card));
  await holons.put(principal.tenant, params.card);
  return params.card;
};

/** All others were right before, so whatever is wrong now, the card is to blame; where it is not one of its fields, the card as a whole. */
const fieldOf = ({ field }: Problem, at: number): string =>
  field.startsWith(`holons[${at}].`) ? field.replace(`holons[${at}]`, 'card') : 'card';

const illegalMove = (before: HolonCard['state'], { id, state }: HolonCard): Problem => ({
  field: 'card.state',
  message: `"${id}" is ${before} and cannot become ${state} at once`,
  remedy: `it can become ${HOLON_MOVES[before].join(' or ')} next`,
});

const cardOf = async (ports: DoorHouse, tenant: string, id: string): Promise<HolonCard> => {
  const card = await ports.holons.get(tenant, id);
  if (card !== undefined) return card;
  throw new HcaFault('HcaNotFound', {
    message: `there is no holon "${id}"`,
    field: 'holon',
    remedy: 'hca holon list shows them',
  });
};

const isOpen = (record: AnyRecord): boolean => {
  if (record.kind === 'task') return !isTerminal(record.state);
  return record.kind === 'review' && record.state !== 'told';
};

const doingLine = (record: AnyRecord): HolonStatus['doing'][number] => ({
  record: record.id,
  root: record.root,
  state: record.state,
  iteration: record.kind === 'delegation' ? 0 : record.iteration,
});
