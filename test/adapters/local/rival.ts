// A process of its own on a database file: does what it is ordered over IPC, and says when it began and ended.
import { localPorts } from '#shared/adapters/local/ports.ts';
import { isFault } from '#shared/contracts/errors.ts';
import { all, cancel, TENANT, task } from '../suites/samples.ts';

/** What a rival can be told to do. */
export type Order =
  | { do: 'save'; ids: string[]; expected: number }
  | { do: 'grant'; parents: string[]; times: number }
  | { do: 'outcome'; tasks: string[] }
  | { do: 'publish'; batch: number };

/** `ns` are of the system's monotonic clock, which all processes share. */
export interface Report {
  results: string[];
  began: string;
  ended: string;
}

const [folder = '', name = ''] = process.argv.slice(2);
const ports = localPorts({ folder });

const save = async (id: string, expected: number): Promise<string[]> => {
  try {
    await ports.tasks.save(task(id, { version: expected + 1, holon: name }), expected);
    return [id];
  } catch (caught) {
    if (isFault(caught) && caught.code === 'HcaConflict') return [];
    throw caught;
  }
};

const grants = async (parent: string, times: number): Promise<string[]> => {
  const granted: string[] = [];
  for (let n = 0; n < times; n += 1) {
    const child = `${parent}_${name}_${n}`;
    if (await ports.ledger.grant(TENANT, { parent, child, key: child, budget: all(10) })) granted.push(child);
  }
  return granted;
};

const outcome = async (on: string): Promise<string[]> => {
  const wait = await ports.waits.outcome(
    TENANT,
    { task: on, on: `${on}_10_1`, offer: 1 },
    { word: name, by: name, body: null },
  );
  return [`${on} ${wait.outcome?.word}`];
};

const publishForEver = async (batch: number): Promise<never> => {
  for (let n = 0; ; n += 1) {
    await ports.messages.publish(Array.from({ length: batch }, (_, index) => cancel(`${n}:${index}`)));
    process.send?.(n);
    // IPC is written between turns of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
  }
};

const each = async (ids: string[], work: (id: string) => Promise<string[]>): Promise<string[]> => {
  const results: string[] = [];
  for (const id of ids) results.push(...(await work(id)));
  return results;
};

const carryOut = (order: Order): Promise<string[]> => {
  switch (order.do) {
    case 'save':
      return each(order.ids, (id) => save(id, order.expected));
    case 'grant':
      return each(order.parents, (parent) => grants(parent, order.times));
    case 'outcome':
      return each(order.tasks, outcome);
    case 'publish':
      return publishForEver(order.batch);
  }
};

process.on('message', (order: Order) => {
  const began = process.hrtime.bigint();
  void carryOut(order).then((results) => {
    process.send?.({ results, began: `${began}`, ended: `${process.hrtime.bigint()}` } satisfies Report);
  });
});
process.send?.('ready');
