// What lessons may do to a plan, and what a verdict does to lessons (L3-CTL-02, L3-CTL-03).
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Lesson, LessonEffect } from '#shared/contracts/lesson.ts';
import { changesOf, citable, effectsOf, reordered } from '#shared/domain/knowledge/apply.ts';
import { credited, decayed, supported, UNUSED_MS } from '#shared/domain/knowledge/upkeep.ts';
import { rootId } from '#test/adapters/suites/samples.ts';
import { codeFix } from '#test/support/code-fix.ts';
import { holds } from '../samples.ts';
import { finished, lessonOf, SIGNATURE } from './samples.ts';

const lesson = (parts: Partial<Lesson> = {}): Lesson => lessonOf(finished(), { signature: SIGNATURE, ...parts });
const event = { cause: 'used:x', at: 5 };

describe('effects', () => {
  const harness = { ...codeFix, tools: codeFix.tools };
  const names = harness.tools.map(({ name }) => name);
  const family = 'make-checks-pass';
  const fits = { ...SIGNATURE, family };
  const strong = lesson({ family, signature: fits, alternatives: { for: ['strong-fixes'], against: ['safe-fixes'] } });

  it('reorder alternatives and nothing else, whatever they are', () => {
    const effect = fc.record({
      lesson: fc.string(),
      version: fc.constant(1),
      effect: fc.constantFrom('promotes' as const, 'demotes' as const),
      alternative: fc.oneof(fc.constantFrom(...names), fc.string()),
    });
    holds(
      fc.property(fc.array(effect, { maxLength: 20 }), (effects: LessonEffect[]) => {
        const { tools, ...rest } = reordered(harness, effects);
        const same = (list: typeof tools) => list.map((tool) => JSON.stringify({ ...tool, rank: 0 })).sort();
        expect(same(tools)).toEqual(same(harness.tools));
        expect(rest).toEqual({ ...harness, tools: undefined, ...rest });
      }),
    );
  });

  it('come from lessons of this very situation that may be used, the best proven first', () => {
    const against = lesson({
      id: 'b',
      family,
      signature: fits,
      alternatives: { for: [], against: ['strong-fixes'] },
      trust: 'confirmed',
    });
    const cited = citable(
      [strong, against, { ...strong, id: 'q', trust: 'quarantined' }, { ...strong, id: 'n', signature: null }],
      fits,
    );
    expect(cited.map(({ id }) => id)).toEqual(['b', strong.id]);
    expect(effectsOf(cited, harness, family).map(({ alternative, effect }) => [alternative, effect])).toEqual([
      ['safe-fixes', 'demotes'],
      ['strong-fixes', 'demotes'],
    ]);
    expect(citable([strong], { ...fits, failures: ['lint:z'] })).toEqual([]);
  });

  it('are said only where they made a difference', () => {
    const effects = effectsOf([strong], harness, family);
    expect(changesOf(effects, { chosen: 'strong-fixes', plain: 'strong-fixes' }, harness)).toEqual([]);
    expect(
      changesOf(effects, { chosen: 'strong-fixes', plain: 'safe-fixes' }, harness).map((one) => one.alternative),
    ).toEqual(['safe-fixes', 'strong-fixes']);
  });
});

describe('upkeep', () => {
  it('retires what hurt twice and more often than it helped, confirms what helped, and leaves what is apart apart', () => {
    const once = credited(lesson(), { outcome: 'hurt' }, event);
    expect(once).toMatchObject({ version: 2, trust: 'provisional', outcomes: { used: 1, hurt: 1 } });
    expect(credited(once, { outcome: 'hurt' }, event)).toMatchObject({ version: 3, trust: 'retired' });
    expect(credited(lesson(), { outcome: 'helped' }, event).trust).toBe('confirmed');
    expect(credited(lesson({ trust: 'quarantined' }), { outcome: 'helped' }, event).trust).toBe('quarantined');
  });

  it('is confirmed by an independent task only', () => {
    const head = lesson();
    expect(supported(head, { id: 'm', task_id: `${rootId(1)}_10_1` }, event)).toBeNull();
    expect(supported(head, { id: 'm', task_id: rootId(2) }, event)?.trust).toBe('confirmed');
    expect(supported({ ...head, trust: 'quarantined' }, { id: 'm', task_id: rootId(2) }, event)).toBeNull();
  });

  it('forgets what nothing used for long, once, and takes it back when it is taught again', () => {
    const head = lesson();
    expect(decayed(head, head.created_at + UNUSED_MS)).toBeNull();
    const forgotten = decayed(head, head.created_at + UNUSED_MS + 1);
    expect(forgotten).toMatchObject({ trust: 'retired', version: 2 });
    expect(decayed(forgotten!, Number.MAX_SAFE_INTEGER)).toBeNull();
    expect(supported(forgotten!, { id: 'm', task_id: rootId(2) }, event)?.trust).toBe('provisional');
  });
});
