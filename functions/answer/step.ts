// ANSWER: a holon judges an offer: accept, reject with a reason, or counter (L1-DEL-04, L2-NEG-01 to L2-NEG-03, L2-NEG-05).
import type { Effect } from '#shared/contracts/effects.ts';
import type { Request } from '#shared/contracts/messages.ts';
import { isRequest } from '#shared/contracts/messages.ts';
import type { OfferAnswer } from '#shared/contracts/offer.ts';
import type { TaskRecord } from '#shared/contracts/task.ts';
import { moveTask } from '#shared/domain/lifecycle.ts';
import type { Change, Note, Say, Step } from '../step.ts';
import { judge } from './judge.ts';

type Offer = Request<'hca/task/delegate'>;

export const answer: Step<'answer'> = async ({ message }, record, ports) => {
  if (!isRequest(message, 'hca/task/delegate')) return drop(`${message.method} is no offer`);
  if (!isOpen(record, message)) return drop(`offer ${message.params.offer} came too late: the task is ${record.state}`);
  const above = record.parent === null ? [] : [record.parent.task];
  const cause = await ports.marks.read(record.tenant, [record.root, record.id, ...above]);
  if (cause !== null) return stopped(record, message, cause);
  const said = await judge({ record, offer: message.params }, ports);
  return answered(record, message, said);
};

const isOpen = (record: TaskRecord, { params }: Offer): boolean =>
  ((record.state === 'submitted' || record.state === 'offered') && params.offer === record.offer) ||
  (record.state === 'countered' && params.offer === record.offer + 1);

const answered = (record: TaskRecord, offer: Offer, said: OfferAnswer): Change<'answer'> => {
  const offered = record.state === 'offered' ? record.state : moveTask(record.state, 'offered');
  const state = moveTask(offered, STATE_OF[said.answer]);
  const { params } = offer;
  const ended_at = said.answer === 'reject' ? offer.sent_at : null;
  return {
    record: {
      ...record,
      state,
      offer: params.offer,
      spec: params.spec,
      constraints: params.constraints,
      answer: said,
      ended_at,
    },
    also: said.answer === 'reject' ? closing(record) : [],
    entry: {
      text: TEXT_OF[said.answer](said),
      data: {
        through: [record.state, offered, state],
        offer: params.offer,
        answer: said,
        budget: params.constraints.budget,
      },
    },
    tell: [acknowledge(offer), negotiate(record, offer, said)],
    output: { word: said.answer },
  };
};

/** It, its parent or its root is to stop: nobody will ask again, so it ends here and is not left offered (pitfall 14). */
const stopped = (record: TaskRecord, offer: Offer, cause: string): Change<'answer'> => ({
  record: { ...record, state: moveTask(record.state, 'cancelled'), ended_at: offer.sent_at },
  also: closing(record),
  entry: { text: `cancelled before it was agreed: ${cause}`.slice(0, 2000), data: { offer: offer.params.offer } },
  tell: [acknowledge(offer)],
  output: { word: 'none' },
});

const STATE_OF = { accept: 'agreed', reject: 'rejected', counter: 'countered' } as const;

const TEXT_OF: Record<OfferAnswer['answer'], (said: OfferAnswer) => string> = {
  accept: () => 'accepts the offer',
  reject: (said) => ('reason' in said ? `rejects the offer: ${said.reason}: ${said.detail}` : 'rejects the offer'),
  counter: (said) => ('detail' in said ? `counters: ${said.detail}` : 'counters'),
};

const closing = (record: TaskRecord): Effect[] => [{ do: 'close-ledger', task: record.id }];

const acknowledge = ({ from, task, params }: Offer): Say => ({
  method: 'hca/task/delegate.result',
  to: from,
  task,
  result: { received: true, offer: params.offer },
});

const negotiate = (record: TaskRecord, { from, params }: Offer, say: OfferAnswer): Say => ({
  method: 'hca/task/negotiate',
  to: from,
  task: record.id,
  params: { offer: params.offer, parent: record.parent?.task ?? null, say },
});

const drop = (note: string): Note<'answer'> => ({ note, output: { word: 'none' } });
