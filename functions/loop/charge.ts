// A tool call that is paid for: reserve before, commit after; what the ledger does not cover is not called (pitfalls 4, 6, 9).
import { HcaFault } from '#shared/contracts/errors.ts';
import type { ToolCall, ToolOutcome } from '#shared/contracts/evidence.ts';
import { rootOf } from '#shared/contracts/ids.ts';
import { ZERO } from '#shared/domain/budget.ts';
import { restOf } from '#shared/domain/ledger.ts';
import type { LedgerCall } from '#shared/ports/ledger.ts';
import type { ToolContext, Tools } from '#shared/ports/tools.ts';
import type { Marks } from '#shared/ports/waits.ts';
import type { Clock } from '#shared/ports/world.ts';

/** Ports a paid call needs. */
export interface ChargePorts {
  ledger: LedgerCall;
  tools: Tools;
  clock: Clock;
  marks: Pick<Marks, 'read'>;
}

/** Whose ledger pays, on whose behalf, and the longest the call may take. */
export interface Charge {
  context: ToolContext;
  payer: string;
  deadline: number;
  timeout_ms: number;
}

/** The outcome, or `spent` when the ledger refused: then nothing was called. Time is bounded by what the ledger and the deadline leave. */
export const callPaid = async (charge: Charge, call: ToolCall, ports: ChargePorts): Promise<ToolOutcome | 'spent'> => {
  const { tenant, task } = charge.context;
  const cause = await ports.marks.read(tenant, [rootOf(task), task]);
  if (cause !== null) throw new HcaFault('HcaCancelled', { message: cause });
  const ledger = await ports.ledger.read(tenant, charge.payer);
  if (ledger === undefined) return 'spent';
  const time_ms = Math.min(charge.timeout_ms, restOf(ledger).time_ms, charge.deadline - ports.clock.now());
  if (time_ms <= 0) return 'spent';
  const key = `${charge.context.task}:${ports.clock.ulid()}`;
  if (!(await ports.ledger.reserve(tenant, charge.payer, { key, amount: { ...ZERO, calls: 1, time_ms } })))
    return 'spent';
  const outcome = await ports.tools.call(charge.context, withTimeout(call, time_ms));
  const took = outcome.evidence?.duration_ms ?? 0;
  await ports.ledger.commit(tenant, charge.payer, {
    key,
    amount: { ...ZERO, calls: 1, time_ms: Math.min(took, time_ms) },
  });
  return outcome;
};

const withTimeout = (call: ToolCall, time_ms: number): ToolCall =>
  call.tool === 'shell.run' ? { ...call, arguments: { ...call.arguments, timeout_ms: time_ms } } : call;
