// What the ports `waits` and `marks` mean, for every adapter (architecture section 3; delivery traces V4, V5, V7 and V9).
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Outcome, Wait, WaitKey } from '#shared/contracts/effects.ts';
import { compareFence } from '#shared/domain/fence.ts';
import type { Waits } from '#shared/ports/waits.ts';
import type { Opened } from './opened.ts';
import { rootId, TENANT } from './samples.ts';

type House = Opened<'waits' | 'marks'>;

const outcome = (word: string): Outcome => ({ word, by: `message of ${word}`, body: { said: word } });
const key = (offer: number, on = `${rootId(1)}_10_1`) => ({ task: rootId(1), on, offer });

type Write = { do: 'token'; fence: string } | { do: 'outcome' | 'end'; word: string } | { do: 'agree' };

const part = fc.nat({ max: 11 });
const writes: fc.Arbitrary<Write> = fc.oneof(
  fc.record({ do: fc.constant('token' as const), fence: fc.tuple(part, part, part, part).map((f) => f.join('.')) }),
  fc.record({
    do: fc.constantFrom('outcome' as const, 'end' as const),
    word: fc.string({ minLength: 1, maxLength: 3 }),
  }),
  fc.record({ do: fc.constant('agree' as const) }),
);

const apply = (waits: Waits, at: WaitKey, write: Write): Promise<unknown> => {
  if (write.do === 'token') return waits.token(TENANT, at, { token: write.fence, fence: write.fence });
  if (write.do === 'agree') return waits.agree(TENANT, at);
  return waits[write.do](TENANT, at, outcome(write.word));
};

/** What the rules of architecture section 3 say of a whole order of writes, without going through it one by one. */
const expected = (order: readonly Write[]): Omit<Wait, 'key'> => {
  const words = order.flatMap((write) => ('word' in write ? [write.word] : []));
  const beforeOutcome = order.slice(0, words.length === 0 ? undefined : order.findIndex((write) => 'word' in write));
  const fence = order
    .flatMap((write) => (write.do === 'token' ? [write.fence] : []))
    .sort(compareFence)
    .at(-1);
  return {
    token: fence ?? null,
    fence: fence ?? '',
    agreed: beforeOutcome.some((write) => write.do === 'agree'),
    outcome: words[0] === undefined ? null : outcome(words[0]),
    ended: order.some((write) => write.do === 'end'),
  };
};

/** Runs the suite; `open` gives a fresh, empty store. */
export const waitsSuite = (name: string, open: () => Promise<House>): void => {
  describe(`waits, marks: ${name}`, () => {
    let house: House;
    beforeEach(async () => {
      house = await open();
    });
    afterEach(() => house.close());

    test('a wait that nobody wrote to is not there; opened it is blank, and opening is no overwriting', async () => {
      const { waits } = house;
      expect(await waits.read(TENANT, key(1))).toBeUndefined();
      const blank = { key: key(1), token: null, fence: '', agreed: false, outcome: null, ended: false };
      expect(await waits.open(TENANT, key(1))).toEqual(blank);
      expect(await waits.read(TENANT, key(1))).toEqual(blank);
      await waits.outcome(TENANT, key(1), outcome('reject'));
      expect(await waits.open(TENANT, key(1))).toMatchObject({ outcome: outcome('reject') });
    });

    test('a token is written only over a lower fence, compared as numbers (V4)', async () => {
      const write = (token: string, fence: string) => house.waits.token(TENANT, key(1), { token, fence });
      expect(await write('first', '0.0.9.0')).toMatchObject({ token: 'first', fence: '0.0.9.0' });
      expect(await write('second', '0.0.10.0')).toMatchObject({ token: 'second' });
      for (const fence of ['0.0.9.5', '0.0.10.0']) {
        expect(await write('zombie', fence)).toMatchObject({ token: 'second', fence: '0.0.10.0' });
      }
      expect(await write('redriven', '0.1.0.0')).toMatchObject({ token: 'redriven' });
      expect(await house.waits.read(TENANT, key(1))).toMatchObject({ token: 'redriven', fence: '0.1.0.0' });
    });

    test('the first outcome wins, and one that comes later is not agreed to', async () => {
      const { waits } = house;
      await waits.outcome(TENANT, key(1), outcome('reject'));
      expect(await waits.outcome(TENANT, key(1), outcome('closed'))).toMatchObject({ outcome: outcome('reject') });
      expect(await waits.agree(TENANT, key(1))).toMatchObject({ agreed: false });
      expect(await waits.token(TENANT, key(1), { token: 't', fence: '0.0.1.0' })).toMatchObject({
        token: 't',
        outcome: outcome('reject'),
      });
    });

    test('agreement stays when the outcome comes, and may be noted again', async () => {
      const { waits } = house;
      await waits.agree(TENANT, key(1));
      await waits.outcome(TENANT, key(1), outcome('complete'));
      expect(await waits.agree(TENANT, key(1))).toMatchObject({ agreed: true, outcome: outcome('complete') });
    });

    test('an end sets the outcome where there is none and never changes one', async () => {
      const { waits } = house;
      expect(await waits.end(TENANT, key(1), outcome('complete'))).toMatchObject({
        ended: true,
        outcome: outcome('complete'),
      });
      await waits.outcome(TENANT, key(2), outcome('timeout'));
      expect(await waits.end(TENANT, key(2), outcome('complete'))).toMatchObject({
        ended: true,
        outcome: outcome('timeout'),
      });
      expect(await waits.end(TENANT, key(2), outcome('again'))).toMatchObject({
        ended: true,
        outcome: outcome('timeout'),
      });
    });

    test('every offer is a wait of its own, and a task sees all of its waits and no other (V5)', async () => {
      const { waits } = house;
      await waits.outcome(TENANT, key(1), outcome('counter'));
      await waits.token(TENANT, key(2), { token: 't', fence: '0.0.1.0' });
      await waits.agree(TENANT, key(1, `${rootId(1)}-r1-1`));
      await waits.agree(TENANT, { ...key(1), task: rootId(2) });
      await waits.agree('another', key(3));
      const mine = await waits.of(TENANT, rootId(1));
      const offers = mine.map((wait) => [wait.key.on, wait.key.offer, wait.outcome?.word ?? null]);
      const child = `${rootId(1)}_10_1`;
      expect(offers.sort()).toEqual(
        [
          [`${rootId(1)}-r1-1`, 1, null],
          [child, 1, 'counter'],
          [child, 2, null],
        ].sort(),
      );
    });

    test('whatever order the world writes in: first outcome, highest fence, ended and agreed for good', async () => {
      let offer = 100;
      await fc.assert(
        fc.asyncProperty(fc.array(writes, { maxLength: 12 }), async (order) => {
          offer += 1;
          for (const write of order) await apply(house.waits, key(offer), write);
          expect(await house.waits.open(TENANT, key(offer))).toEqual({ key: key(offer), ...expected(order) });
        }),
        { numRuns: 60 },
      );
    });

    test('a mark is written once, and the first marked of the records asked about answers', async () => {
      const { marks } = house;
      expect(await marks.read(TENANT, [rootId(1), rootId(2)])).toBeNull();
      await marks.set(TENANT, rootId(2), 'the person cancelled');
      await marks.set(TENANT, rootId(2), 'another cause');
      expect(await marks.read(TENANT, [rootId(1), rootId(2)])).toBe('the person cancelled');
      await marks.set(TENANT, rootId(1), 'reassigned');
      expect(await marks.read(TENANT, [rootId(1), rootId(2)])).toBe('reassigned');
      expect(await marks.read(TENANT, [])).toBeNull();
      expect(await marks.read('another', [rootId(1)])).toBeNull();
    });
  });
};
