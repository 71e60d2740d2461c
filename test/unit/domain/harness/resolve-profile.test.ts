// Layers of a profile: the later overrides, but the invariants only ever narrow.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SIDE_EFFECTS } from '#shared/contracts/policy.ts';
import { LAYERS, ProfileLayer } from '#shared/contracts/profile.ts';
import { containsGlob } from '#shared/domain/glob.ts';
import { resolveProfile } from '#shared/domain/harness/resolve-profile.ts';
import { codeFix } from '#test/support/code-fix.ts';

const start = codeFix.profile;
const layer = (more: object): ProfileLayer => ProfileLayer.parse({ layer: 'user', ...more });

describe('layers', () => {
  it('override in the order system, user, workspace, family, session, goal, whatever order they come in', () => {
    const layers = LAYERS.map((name, at) => layer({ layer: name, retrieval: { lessons: at + 1 } }));
    expect(resolveProfile(start, layers.toReversed()).profile.retrieval.lessons).toBe(6);
    expect(resolveProfile(start, layers.slice(0, 3)).profile.retrieval).toEqual({ ...start.retrieval, lessons: 3 });
  });

  it('leave untouched what they do not name', () => {
    expect(resolveProfile(start, [layer({})])).toEqual({ profile: start, refused: [] });
  });
});

describe('invariants', () => {
  it('are narrowed, never widened, and what was refused is said', () => {
    const { profile, refused } = resolveProfile(start, [
      layer({
        layer: 'workspace',
        parallelism: { child_depth: 1 },
        tools: { side_effects: 'read_only', write_paths: ['src/**'] },
      }),
      layer({
        layer: 'goal',
        parallelism: { child_depth: 9, concurrency: 2 },
        tools: { side_effects: 'destructive', write_paths: ['**'] },
        agent: { attribution: { holon: false } },
      }),
    ]);
    expect(profile.parallelism).toEqual({ child_depth: 1, concurrency: 2 });
    expect(profile.tools).toMatchObject({ side_effects: 'read_only', write_paths: ['src/**'] });
    expect(profile.agent.attribution.holon).toBe(true);
    expect(refused.map(({ layer: name, field }) => `${name}: ${field}`)).toEqual([
      'goal: parallelism.child_depth',
      'goal: tools.side_effects',
      'goal: tools.write_paths',
      'goal: agent.attribution.holon',
    ]);
  });

  it('hold for any layers in any order', () => {
    const change = fc.record(
      {
        layer: fc.constantFrom(...LAYERS),
        parallelism: fc.record(
          { child_depth: fc.nat(16), concurrency: fc.integer({ min: 1, max: 256 }) },
          { requiredKeys: [] },
        ),
        tools: fc.record(
          {
            side_effects: fc.constantFrom(...SIDE_EFFECTS),
            write_paths: fc.array(fc.constantFrom('**', 'src/**', 'test/**', 'src/a.js')),
          },
          { requiredKeys: [] },
        ),
        agent: fc.record({
          attribution: fc.record(
            { holon: fc.boolean(), lane: fc.boolean(), tools: fc.boolean() },
            { requiredKeys: [] },
          ),
        }),
      },
      { requiredKeys: ['layer'] },
    );
    void fc.assert(
      fc.property(fc.array(change, { maxLength: 8 }), (changes) => {
        const { profile } = resolveProfile(
          start,
          changes.map((one) => ProfileLayer.parse(one)),
        );
        expect(profile.parallelism.child_depth).toBeLessThanOrEqual(start.parallelism.child_depth);
        expect(profile.parallelism.concurrency).toBeLessThanOrEqual(start.parallelism.concurrency);
        expect(SIDE_EFFECTS.indexOf(profile.tools.side_effects)).toBeLessThanOrEqual(
          SIDE_EFFECTS.indexOf(start.tools.side_effects),
        );
        expect(
          profile.tools.write_paths.every((path) => start.tools.write_paths.some((outer) => containsGlob(outer, path))),
        ).toBe(true);
        expect(profile.agent.attribution).toEqual(start.agent.attribution);
      }),
    );
  });
});
