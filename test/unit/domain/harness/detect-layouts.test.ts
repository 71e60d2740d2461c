// Checks and fixers found in many layouts of a workspace.
import { describe, expect, it } from 'vitest';
import { wantedFiles } from '#shared/domain/harness/detect.ts';
import { catalogue, detect, scripts } from '#test/support/code-fix.ts';

const checks = (files: Record<string, string>) => detect(files).checks;
const ids = (files: Record<string, string>): string[] => checks(files).map((check) => check.id);

describe('layouts', () => {
  it('members of npm and pnpm workspaces, and no package beside them', () => {
    const member = {
      'packages/a/package.json': scripts({ lint: 'eslint .' }),
      'test/fixtures/x/package.json': scripts({ lint: 'eslint .' }),
    };
    expect(ids({ 'package.json': JSON.stringify({ workspaces: ['packages/*'] }), ...member })).toEqual([
      'packages/a/lint',
    ]);
    expect(ids({ 'package.json': '{}', 'pnpm-workspace.yaml': "packages:\n  - 'packages/*'\n", ...member })).toEqual([
      'packages/a/lint',
    ]);
    expect(ids({ 'package.json': '{}', ...member })).toEqual([]);
  });

  it('the topmost folders with a manifest where the root has none', () => {
    const files = {
      'app/package.json': scripts({ lint: 'eslint .' }),
      'app/example/package.json': scripts({ lint: 'eslint .' }),
    };
    expect(checks(files)[0]).toMatchObject({ id: 'app/lint', cwd: 'app' });
    expect(checks(files)).toHaveLength(1);
  });

  it('a script that goes into a folder finds the fixers there', () => {
    const files = { 'package.json': scripts({ lint: 'cd web && eslint .' }) };
    expect(detect(files).fixers[0]).toMatchObject({ cwd: 'web', command: 'eslint --fix .' });
  });

  it('scripts that call each other in a circle end', () => {
    expect(checks({ 'package.json': scripts({ lint: 'npm run test', test: 'npm run lint' }) })).toHaveLength(2);
  });

  it('a manifest that is no JSON is a package without scripts', () => {
    expect(detect({ 'package.json': '{ "scripts": ' }).checks).toEqual([]);
  });
});

describe('what is read and what is protected', () => {
  it('wants manifests outside ignored folders only', () => {
    const paths = [
      'package.json',
      'node_modules/x/package.json',
      'a/package.json',
      'src/index.js',
      'test/fixtures/package.json',
    ];
    expect(wantedFiles(paths, catalogue)).toEqual(['package.json', 'a/package.json']);
  });

  it('protects the programs that checks run', () => {
    const files = {
      'package.json': scripts({ lint: 'node scripts/lint.js', test: 'node --test test.js' }),
      'scripts/lint.js': '',
      'test.js': '',
      'src/index.js': '',
    };
    expect(detect(files).protected.scripts).toEqual(
      expect.arrayContaining(['scripts/lint.js', 'test.js', '**/package.json']),
    );
    expect(detect(files).protected.scripts).not.toContain('src/index.js');
  });
});
