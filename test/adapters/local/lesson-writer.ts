// One of many writers of lessons, a process of its own: stores or credits when it is told to, and says what was acknowledged.
import { changeLesson, keepLesson } from '#functions/loop/lessons.ts';
import { localPorts } from '#shared/adapters/local/ports.ts';
import { credited } from '#shared/domain/knowledge/upkeep.ts';
import { lesson, rootId, TENANT } from '../suites/samples.ts';

const [, , folder = '', kind = '', from = '0'] = process.argv;
const first = Number(from);
const house = localPorts({ folder });

const storeOne = async (n: number): Promise<string> => {
  const signature = { family: 'lint', tools: ['biome'], failures: [`lint:${n % 4}`], checks: ['lint'] };
  const change = { cause: `task:${n}`, why: '', at: 1 };
  const one = lesson(`lesson-${rootId(n)}`, { task_id: rootId(n), signature, change });
  return (await keepLesson(TENANT, { status: 'taken', lesson: one, reason: 'x' }, house)).id;
};

const creditOne = async (n: number): Promise<string> => {
  const event = { cause: `used:${n}`, at: 1 };
  return changeLesson({ tenant: TENANT, id: 'shared' }, (now) => credited(now, { outcome: 'helped' }, event), house);
};

/** `count`: how many; `tell`: says each one as soon as it is acknowledged. */
interface Order {
  count: number;
  tell: boolean;
}

const work = async ({ count, tell }: Order): Promise<void> => {
  const began = performance.timeOrigin + performance.now();
  const acknowledged: string[] = [];
  for (let n = first; n < first + count; n += 1) {
    acknowledged.push(await (kind === 'credits' ? creditOne(n) : storeOne(n)));
    if (tell) process.send?.({ id: acknowledged.at(-1) });
    await new Promise((resolve) => setImmediate(resolve));
  }
  process.send?.({ acknowledged, began, ended: performance.timeOrigin + performance.now() });
  await house.close();
  process.disconnect();
};

process.on('message', (order) => void work(order as Order));
process.send?.('ready');
