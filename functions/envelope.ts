// Sealing what a step says: id, addresses and trace context (requirements section 2).
import { messageId } from '#shared/contracts/ids.ts';
import type { Message } from '#shared/contracts/messages.ts';
import type { AnyRecord } from '#shared/contracts/task.ts';
import { traceOf } from '#shared/domain/trace-context.ts';
import type { Say } from './step.ts';

/** Who says it, in which version of which record, and why. */
export interface Saying {
  record: Pick<AnyRecord, 'tenant' | 'root' | 'id' | 'holon'>;
  version: number;
  caused_by: string;
  at: number;
  hop: number;
}

/** Messages of one change, in the order they were said; a repeat has the same ids. */
export const seal = (says: readonly Say[], saying: Saying): Message[] =>
  says.map((say, index) => ({
    jsonrpc: '2.0',
    id: messageId(saying.record.id, saying.version, index),
    tenant: saying.record.tenant,
    from: saying.record.holon,
    root_task: saying.record.root,
    hop: saying.hop,
    caused_by: saying.caused_by,
    sent_at: saying.at,
    traceparent: traceOf(saying.record.root, `${saying.record.id}:${saying.version}`),
    ...say,
  }));
