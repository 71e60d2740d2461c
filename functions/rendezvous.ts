// Where an outcome and a token meet: whoever sees both resolves (architecture section 3).
import { endsWait, type Outcome, type Wait, type WaitKey } from '#shared/contracts/effects.ts';
import type { Ports } from '#shared/ports/index.ts';

type Meeting = Pick<Ports, 'waits' | 'workflows'>;

/** Outcomes that the machine goes straight on with: a child completed, a review passed, the last child's end came. */
const SETTLED: ReadonlySet<string> = new Set(['completed', 'passed', 'ended']);

/** Error of a token whose outcome needs a decision first; every waiting state catches it. */
const UNSETTLED = 'HcaUnsettled';

/**
 * Resolves the token of a wait that has an outcome. What needs a decision fails it, so that the happy path pays for no Choice
 * (docs/decisions/0041); a cancelled wait fails it too, so that every Catch leads to Cancel.
 */
export const meet = async (wait: Wait, ports: Pick<Ports, 'workflows'>): Promise<void> => {
  if (wait.token === null || wait.outcome === null) return;
  if (wait.outcome.word === 'cancelled' && wait.key.on !== '~ends') {
    await ports.workflows.fail(wait.token, 'HcaCancelled', wait.outcome.by);
    return;
  }
  if (SETTLED.has(wait.outcome.word)) return ports.workflows.succeed(wait.token);
  await ports.workflows.fail(wait.token, UNSETTLED, wait.outcome.word);
};

/** Writes an outcome (the first one wins) and lets it meet the token. */
export const settleWait = async (
  tenant: string,
  to: { key: WaitKey; outcome: Outcome },
  ports: Meeting,
): Promise<Wait> => {
  const wait = await ports.waits.outcome(tenant, to.key, to.outcome);
  await meet(wait, ports);
  return wait;
};

/**
 * A cancelled task waits for every agreed child's end. Called after the wait was opened and after every end that is noted, so that one of
 * the two sees the last end.
 */
export const meetEnds = async (tenant: string, task: string, ports: Meeting): Promise<void> => {
  const ends = await ports.waits.read(tenant, endsWait(task));
  if (ends === undefined) return;
  const waits = await ports.waits.of(tenant, task);
  if (waits.some((wait) => wait.agreed && !wait.ended)) return;
  await settleWait(tenant, { key: endsWait(task), outcome: { word: 'ended', by: 'cancel', body: null } }, ports);
};
