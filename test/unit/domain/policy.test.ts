// Policy is narrowed on the way down and never widened; a call is refused unless a rule allows it.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CallSubject, Policy, SIDE_EFFECTS } from '#shared/contracts/policy.ts';
import { containsGlob, matchesGlob } from '#shared/domain/glob.ts';
import { checkToolCall, DENY_ALL, narrowPolicy, refusedPaths } from '#shared/domain/policy.ts';

const piece = fc.constantFrom('a', 'b', '/', '*', '**', '**/', '?', '.');
const glob = fc.array(piece, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));
const text = fc.array(fc.constantFrom('a', 'b', '/', '.'), { maxLength: 6 }).map((chars) => chars.join(''));
const globs = fc.array(glob, { maxLength: 3 });
const effect = fc.constantFrom(...SIDE_EFFECTS);
const approver = fc.constantFrom('parent' as const, 'root' as const, 'person' as const);
const names = fc.subarray(['s', 't', 'u']);
const policy: fc.Arbitrary<Policy> = fc.record({
  tools: fc.record({ allow: globs, deny: globs }),
  side_effects: effect,
  paths: fc.record({ write: globs, deny: globs }),
  network: fc.record({ access: fc.constantFrom('none' as const, 'allow' as const), hosts: globs }),
  approvals: fc.array(
    fc.record({
      tools: fc.array(glob, { minLength: 1, maxLength: 2 }),
      side_effects: fc.array(effect, { minLength: 1, maxLength: 2 }),
      by: approver,
    }),
    { maxLength: 2 },
  ),
  models: globs,
  data_classes: names,
  servers: names,
});
const call: fc.Arbitrary<CallSubject> = fc.record({
  server: fc.constantFrom('s', 't', 'u'),
  tool: text,
  side_effect: fc.option(effect, { nil: undefined }),
  writes: fc.array(text, { maxLength: 2 }),
  hosts: fc.array(text, { maxLength: 1 }),
  approved_by: fc.subarray(['parent', 'root', 'person'] as const),
});

const shellCall: CallSubject = {
  server: 'shell',
  tool: 'shell.run',
  side_effect: 'local_write',
  writes: [],
  hosts: [],
  approved_by: [],
};
const working = Policy.parse({ tools: { allow: ['shell.*'] }, side_effects: 'local_write', servers: ['shell'] });

describe('globs', () => {
  it.each([
    ['src/*.ts', 'src/a.ts', true],
    ['src/*.ts', 'src/deep/a.ts', false],
    ['src/**', 'src/deep/a.ts', true],
    ['**/*.pem', 'a/b/key.pem', true],
    ['**/*.pem', 'key.pem', true],
    ['**/.env*', 'pkg/.env.local', true],
    ['a?c', 'abc', true],
    ['a?c', 'a/c', false],
    ['**', '', true],
    ['a.c', 'abc', false],
  ])('%s on %s is %s', (pattern, value, expected) => {
    expect(matchesGlob(pattern, value)).toBe(expected);
  });

  it('containment is sound: what the inner glob matches, the outer one matches', () => {
    const values = fc.sample(text, { numRuns: 400, seed: 7 });
    let contained = 0;
    fc.assert(
      fc.property(glob, glob, (outer, inner) => {
        if (!containsGlob(outer, inner)) return;
        contained += 1;
        expect(values.filter((value) => matchesGlob(inner, value) && !matchesGlob(outer, value))).toEqual([]);
      }),
      { numRuns: 1000 },
    );
    expect(contained).toBeGreaterThan(50);
  });

  it('agrees with a regular expression of the same meaning', () => {
    const asRegExp = (pattern: string) =>
      new RegExp(
        `^${(pattern.match(/\*\*\/|\*\*|\*|\?|./g) ?? [])
          .map((part) => ({ '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '?': '[^/]', '.': '\\.' })[part] ?? part)
          .join('')}$`,
      );
    fc.assert(
      fc.property(glob, text, (pattern, value) => {
        expect(matchesGlob(pattern, value)).toBe(asRegExp(pattern).test(value));
      }),
      { numRuns: 2000 },
    );
  });

  it('a pattern of many stars over a long text is answered at once', () => {
    expect(matchesGlob('*a'.repeat(40), 'a'.repeat(4000))).toBe(true);
    expect(matchesGlob(`${'*a'.repeat(40)}b`, 'a'.repeat(4000))).toBe(false);
  });
});

describe('narrowPolicy', () => {
  it('never allows what the parent or the child refuses', () => {
    const refusals: string[] = [];
    fc.assert(
      fc.property(policy, policy, call, (parent, child, asked) => {
        const narrowed = checkToolCall(narrowPolicy(parent, child), asked);
        const both = [checkToolCall(parent, asked), checkToolCall(child, asked)];
        if (both.some((answer) => !answer.allowed)) refusals.push(asked.tool);
        expect(narrowed.allowed && both.some((answer) => !answer.allowed)).toBe(false);
      }),
      { numRuns: 3000 },
    );
    expect(refusals.length).toBeGreaterThan(0);
  });

  it('a child that repeats its parent keeps exact names, and one that asks for more gets no more', () => {
    expect(narrowPolicy(working, working)).toEqual(working);
    const greedy = Policy.parse({
      tools: { allow: ['**'] },
      side_effects: 'destructive',
      servers: ['shell', 'other'],
      network: { access: 'allow', hosts: ['**'] },
    });
    expect(narrowPolicy(working, greedy)).toEqual(working);
  });

  it('allow lists meet in the narrower glob', () => {
    const child = Policy.parse({ tools: { allow: ['shell.run', 'git.*'] }, servers: ['shell'] });
    expect(narrowPolicy(working, child).tools.allow).toEqual(['shell.run']);
  });
});

describe('checkToolCall', () => {
  it('refuses everything by default', () => {
    fc.assert(fc.property(call, (asked) => !checkToolCall(DENY_ALL, asked).allowed));
  });

  it('allows what every list allows, and names the rule', () => {
    expect(checkToolCall(working, shellCall)).toMatchObject({ allowed: true, rule: 'tools.allow:shell.*' });
  });

  it.each([
    ['an unlisted server', { server: 'evil' }, {}, 'servers'],
    ['an unclassified tool', { side_effect: undefined }, {}, 'side_effects'],
    ['a tool nobody allowed', { tool: 'git.push' }, {}, 'tools.allow'],
    ['a denied tool', {}, { tools: { allow: ['shell.*'], deny: ['shell.r*'] } }, 'tools.deny:shell.r*'],
    ['a side effect above the ceiling', { side_effect: 'external_write' as const }, {}, 'side_effects:local_write'],
    ['a path outside', { writes: ['etc/x'] }, { paths: { write: ['src/**'], deny: [] } }, 'paths.write'],
    [
      'a denied path',
      { writes: ['src/x.pem'] },
      { paths: { write: ['**'], deny: ['**/*.pem'] } },
      'paths.deny:**/*.pem',
    ],
    ['any host on a closed network', { hosts: ['a.example'] }, {}, 'network:none'],
    ['a foreign host', { hosts: ['b.example'] }, { network: { access: 'allow', hosts: ['a.*'] } }, 'network.hosts'],
  ])('refuses %s', (...[, asked, extra, rule]) => {
    const answer = checkToolCall(Policy.parse({ ...working, ...extra }), { ...shellCall, ...asked });
    expect(answer).toMatchObject({ allowed: false, rule });
  });

  it('asks for an approval and accepts exactly that one', () => {
    const guarded = {
      ...working,
      approvals: [{ tools: ['shell.*'], side_effects: ['local_write' as const], by: 'person' as const }],
    };
    expect(checkToolCall(guarded, shellCall)).toMatchObject({
      allowed: false,
      rule: 'approvals:shell.*',
      needs: 'person',
    });
    expect(checkToolCall(guarded, { ...shellCall, approved_by: ['root'] }).allowed).toBe(false);
    expect(checkToolCall(guarded, { ...shellCall, approved_by: ['person'] }).allowed).toBe(true);
  });

  it('names the paths of a finished change that were not writable', () => {
    const limited = Policy.parse({ paths: { write: ['src/**'], deny: ['**/*.pem'] } });
    expect(refusedPaths(limited, ['src/a.ts', 'src/k.pem', 'package.json'])).toEqual(['src/k.pem', 'package.json']);
  });
});
