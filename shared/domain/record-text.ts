// A record as text, the same on every store, and the most of it that one holds (architecture section 8).
import { HcaFault } from '#shared/contracts/errors.ts';
import { AnyRecord } from '#shared/contracts/task.ts';

/** Largest record, in bytes of its JSON. */
const RECORD_BYTES = 100 * 1024;
/** A character is at most three bytes of UTF-8, so a shorter text needs no counting. */
const SURELY_SMALL = RECORD_BYTES / 3;

/** Its JSON; `checked` parses it by its whole contract first. @throws HcaFault HcaTooLarge naming the kind of record */
export const recordText = (record: AnyRecord, checked: boolean): string => {
  const body = JSON.stringify(checked ? AnyRecord.parse(record) : record);
  if (body.length < SURELY_SMALL) return body;
  const bytes = Buffer.byteLength(body);
  if (bytes <= RECORD_BYTES) return body;
  throw new HcaFault('HcaTooLarge', {
    message: `the ${record.kind} ${record.id} is ${bytes} bytes, a record holds at most ${RECORD_BYTES}`,
    field: record.kind,
    remedy: 'give the task fewer criteria or a shorter goal; content belongs in an artifact',
  });
};
