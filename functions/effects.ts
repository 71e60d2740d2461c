// Carrying out the effects of a change; each is idempotent by itself, so a repeat is harmless (architecture section 2, rule 1).
import { COMMITS } from '#shared/contracts/access.ts';
import { type Effect, endsWait } from '#shared/contracts/effects.ts';
import { AnyRecord } from '#shared/contracts/task.ts';
import type { Ports } from '#shared/ports/index.ts';
import { meetEnds, settleWait } from './rendezvous.ts';
import type { Settling } from './settling.ts';

/** What a change takes effect through. */
export type Committing = Pick<Ports, 'tasks' | 'waits' | 'marks' | 'ledger' | 'workflows' | 'messages' | 'journal'>;

/** What perform works with: what a change is committed through, and the time. */
export type Performing = Committing & Pick<Ports, 'clock'>;
export const PERFORMING = Object.keys(COMMITS);

/** `settle`: what ends another record, which is carried through as a change of its own. */
type Carrying = Committing & { settle(effect: Settling): Promise<void> };

/** Carries out effects in order, up to a grant that is refused. False then: the change's messages are not sent either. */
export const carryOut = async (tenant: string, effects: readonly Effect[], ports: Carrying): Promise<boolean> => {
  for (const effect of effects) {
    if (effect.do !== 'grant') await carry(tenant, effect, ports);
    else if (!(await grant(tenant, effect, ports))) return false;
  }
  return true;
};

type Of<D extends Effect['do']> = Extract<Effect, { do: D }>;

const grant = async (tenant: string, effect: Of<'grant'>, ports: Committing): Promise<boolean> => {
  if (await ports.ledger.grant(tenant, effect)) return true;
  await settleWait(tenant, { key: effect.refused, outcome: { word: 'no_budget', by: effect.key, body: null } }, ports);
  return false;
};

const carry = async (tenant: string, effect: Exclude<Effect, Of<'grant'>>, ports: Carrying): Promise<unknown> => {
  switch (effect.do) {
    case 'put':
      return ports.tasks.put(AnyRecord.parse(effect.record));
    case 'open-ledger':
      return ports.ledger.open(tenant, effect.task, effect.budget);
    case 'spend':
      return ports.ledger.spend(tenant, effect.task, effect);
    case 'close-ledger':
      return ports.ledger.close(tenant, effect.task);
    case 'mark':
      return ports.marks.set(tenant, effect.record, effect.cause);
    case 'outcome':
      return settleWait(tenant, { key: effect.wait, outcome: effect.outcome }, ports);
    case 'await-ends':
      return awaitEnds(tenant, effect.task, ports);
    case 'settle':
      return ports.settle(effect);
  }
};

const awaitEnds = async (tenant: string, task: string, ports: Committing): Promise<void> => {
  await ports.waits.open(tenant, endsWait(task));
  await meetEnds(tenant, task, ports);
};
