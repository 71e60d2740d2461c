// The import boundaries (docs/architecture.md, "Who may import whom") hold on the real tree, and the check is shown to work: one
// violation planted per row is found. Everything is planted in a copy, never in the live tree.

import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cruise, cruise } from '#scripts/boundaries.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Rule, a file of the room, and an import that the room may not have. */
const FORBIDDEN = [
  ['contracts', 'shared/contracts/a.ts', '#shared/domain/rule.ts'],
  ['contracts', 'shared/contracts/b.ts', 'node:fs'],
  ['contracts', 'shared/contracts/c.ts', 'ulid'],
  ['domain', 'shared/domain/a.ts', '#shared/ports/port.ts'],
  ['domain', 'shared/domain/b.ts', 'node:fs'],
  ['domain', 'shared/domain/c.ts', 'yaml'],
  ['ports', 'shared/ports/a.ts', '#shared/domain/rule.ts'],
  ['ports', 'shared/ports/b.ts', 'zod'],
  ['net', 'shared/net/a.ts', '#shared/contracts/shape.ts'],
  ['protocols', 'shared/protocols/acp/a.ts', '#shared/protocols/mcp/codec.ts'],
  ['protocols', 'shared/protocols/acp/b.ts', 'ws'],
  ['adapters', 'shared/adapters/local/a.ts', '#shared/adapters/open/adapter.ts'],
  ['adapters', 'shared/adapters/aws/a.ts', '#functions/plan/step.ts'],
  ['aws-ports', 'shared/adapters/aws/ports/a.ts', '#shared/adapters/local/adapter.ts'],
  ['client', 'shared/client/a.ts', '#shared/domain/rule.ts'],
  ['client', 'shared/client/b.ts', '#shared/protocols/mcp/codec.ts'],
  ['steps', 'functions/work/step.ts', '#functions/plan/step.ts'],
  ['steps', 'functions/judge/step.ts', '#shared/adapters/local/adapter.ts'],
  ['steps', 'functions/revise/step.ts', '#shared/protocols/acp/codec.ts'],
  ['steps', 'functions/accept/step.ts', '#functions/perform.ts'],
  ['loop', 'functions/loop/session.ts', '#functions/plan/step.ts'],
  ['all-steps', 'functions/all.ts', '#shared/domain/rule.ts'],
  ['protocol-doors', 'functions/acp/step.ts', '#shared/protocols/a2a/codec.ts'],
  ['protocol-doors', 'functions/acp/a.ts', '#functions/authorize/step.ts'],
  ['protocol-doors', 'functions/acp/b.ts', 'yaml'],
  ['stream', 'functions/stream/a.ts', '#shared/domain/rule.ts'],
  ['northbound-door', 'functions/door/a.ts', '#shared/adapters/local/adapter.ts'],
  ['authorize', 'functions/authorize/a.ts', '#functions/perform.ts'],
  ['authorize', 'functions/authorize/b.ts', 'node:fs'],
  ['jose-only-in-authorize', 'local/d.ts', 'jose'],
  ['perform', 'functions/commit.ts', '#shared/domain/rule.ts'],
  ['perform', 'functions/envelope.ts', 'node:fs'],
  ['perform', 'functions/effects.ts', '#functions/plan/step.ts'],
  ['handlers', 'functions/plan/handler.ts', '#functions/work/step.ts'],
  ['handlers', 'functions/stream/handler.ts', '#functions/authorize/step.ts'],
  ['door-handler', 'functions/acp/handler.ts', '#functions/work/step.ts'],
  ['wrap', 'functions/wrap.ts', '#shared/domain/rule.ts'],
  ['middy-only-in-wrap', 'shared/adapters/aws/b.ts', '@middy/core'],
  ['infra', 'infra/a.ts', '#functions/plan/step.ts'],
  ['nobody-imports-infra', 'local/a.ts', '../infra/app.ts'],
  ['local', 'local/b.ts', '#shared/adapters/aws/adapter.ts'],
  ['local', 'local/c.ts', '#cli/main.ts'],
  ['harnesses', 'harnesses/code-fix/a.ts', '#shared/domain/rule.ts'],
  ['harnesses', 'harnesses/code-fix/b.ts', 'node:fs'],
  ['harnesses-through-the-port', 'shared/adapters/local/c.ts', '#harnesses/code-fix/profile.ts'],
  ['aws-sdk-only-at-aws', 'shared/adapters/local/d.ts', '@aws-sdk/client-s3'],
  ['cli', 'cli/a.ts', '#shared/domain/rule.ts'],
  ['cli', 'cli/b.ts', '#local/asl/runner.ts'],
  ['console', 'console/a.ts', '#shared/adapters/local/adapter.ts'],
  ['examples', 'examples/stories/a.ts', '#shared/ports/port.ts'],
  ['no-cycles', 'shared/domain/about.ts', './round.ts'],
  ['resolvable', 'shared/domain/lost.ts', './nowhere.ts'],
  ['product-never-imports-tests', 'cli/c.ts', '#test/support/builder.ts'],
  ['every-room-has-a-row', 'shared/extras/a.ts', '#shared/contracts/shape.ts'],
] as const;

/** What each room may do: none of these is a violation. */
const ALLOWED = [
  ['shared/domain/merge.ts', 'node-diff3'],
  ['shared/domain/paths.ts', 'picomatch'],
  ['shared/domain/rule.ts', '#shared/contracts/shape.ts'],
  ['shared/contracts/shape.ts', 'zod'],
  ['shared/ports/port.ts', '#shared/contracts/shape.ts'],
  ['shared/protocols/acp/codec.ts', '#shared/contracts/shape.ts'],
  ['shared/protocols/mcp/codec.ts', '@modelcontextprotocol/server'],
  ['shared/protocols/a2a/codec.ts', '#shared/contracts/shape.ts'],
  ['shared/net/guard.ts', 'node:net'],
  ['shared/adapters/local/adapter.ts', '#shared/net/guard.ts'],
  ['shared/adapters/open/adapter.ts', '#shared/protocols/mcp/codec.ts'],
  ['shared/adapters/aws/adapter.ts', '#shared/ports/port.ts'],
  ['shared/client/client.ts', '#shared/protocols/acp/codec.ts'],
  ['functions/plan/step.ts', '#shared/domain/rule.ts'],
  ['functions/delegate/step.ts', '#functions/step.ts'],
  ['functions/step.ts', '#shared/ports/port.ts'],
  ['functions/identity.ts', '#shared/domain/trace-context.ts'],
  ['shared/domain/trace-context.ts', '#shared/contracts/shape.ts'],
  ['functions/work/handler.ts', '#functions/perform.ts'],
  ['functions/door/dispatch.ts', '#shared/protocols/acp/codec.ts'],
  ['functions/acp/gateway/events.ts', 'zod'],
  ['functions/authorize/step.ts', '#shared/contracts/shape.ts'],
  ['functions/perform.ts', '#shared/ports/port.ts'],
  ['functions/authorize/verify.ts', 'jose'],
  ['local/asl/runner.ts', '#functions/plan/step.ts'],
  ['local/server.ts', '#functions/door/dispatch.ts'],
  ['infra/app.ts', '#shared/contracts/shape.ts'],
  ['harnesses/code-fix/profile.ts', '#shared/contracts/shape.ts'],
  ['cli/main.ts', '#local/server.ts'],
  ['shared/domain/round.ts', './about.ts'],
  ['test/support/builder.ts', '#shared/adapters/local/adapter.ts'],
] as const;

/** Packages that are no dependency yet; the rule about them is planted all the same. */
const ABSENT_PACKAGES = ['@middy/core', '@aws-sdk/client-s3'];

describe('a planted tree', () => {
  const tree = mkdtempSync(path.join(tmpdir(), 'hca-boundaries-'));
  let found: Cruise;

  beforeAll(() => {
    plantTree(tree);
    found = cruise(tree);
  });
  afterAll(() => rmSync(tree, { recursive: true, force: true }));

  test.each(FORBIDDEN)('%s: %s may not import %s', (rule, from) => {
    expect(found.violations.filter((violation) => violation.from === from)).toContainEqual(
      expect.objectContaining({ rule }),
    );
  });

  test('finds nothing else', () => {
    const planted = new Set<string>(FORBIDDEN.map(([, from]) => from));
    const inTheCycle = 'shared/domain/round.ts';
    expect(found.violations.filter(({ from }) => !planted.has(from) && from !== inTheCycle)).toEqual([]);
  });

  test('every rule of boundaries.cjs has a violation planted for it', () => {
    const config = createRequire(import.meta.url)('../../boundaries.cjs') as { forbidden: { name: string }[] };
    const rules = config.forbidden.map(({ name }) => name);
    expect([...new Set<string>(FORBIDDEN.map(([rule]) => rule))].sort()).toEqual(rules.sort());
  });
});

describe('the real tree', () => {
  test('has modules and no forbidden import', () => {
    const { modules, violations } = cruise(ROOT);
    expect(violations).toEqual([]);
    expect(modules).toBeGreaterThan(0);
  }, 120_000);
});

function plantTree(tree: string): void {
  for (const file of ['boundaries.cjs', 'package.json', 'tsconfig.json']) {
    copyFileSync(path.join(ROOT, file), path.join(tree, file));
  }
  plantPackages(tree);
  for (const [, from, to] of FORBIDDEN) plant(tree, from, to);
  for (const [from, to] of ALLOWED) plant(tree, from, to);
}

function plant(tree: string, from: string, to: string): void {
  write(path.join(tree, from), `import '${to}';\nexport const planted = 1;\n`);
}

/** Links the packages the planted files name, and writes an empty one for each that is not installed. */
function plantPackages(tree: string): void {
  const installed = [...FORBIDDEN.map(([, , to]) => to), ...ALLOWED.map(([, to]) => to)].filter(
    (to) => !to.startsWith('#') && !to.startsWith('.') && !to.startsWith('node:') && !ABSENT_PACKAGES.includes(to),
  );
  for (const name of new Set(installed)) {
    const link = path.join(tree, 'node_modules', name);
    mkdirSync(path.dirname(link), { recursive: true });
    symlinkSync(path.join(ROOT, 'node_modules', name), link);
  }
  for (const name of ABSENT_PACKAGES) {
    write(path.join(tree, 'node_modules', name, 'package.json'), JSON.stringify({ name, main: 'index.js' }));
    write(path.join(tree, 'node_modules', name, 'index.js'), '');
  }
}

function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}
