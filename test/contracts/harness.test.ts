// The harness packages that ship are valid, and a profile has its nine sections.
import { describe, expect, it } from 'vitest';
import { CheckResult, CheckRun, Criterion, GivenCriterion } from '#shared/contracts/criterion.ts';
import { FrozenTool } from '#shared/contracts/frozen-tool.ts';
import { HarnessPackage, ProfileLayer } from '#shared/contracts/profile.ts';
import { Project } from '#shared/contracts/project.ts';
import { packageFaults } from '#shared/domain/harness/check-package.ts';
import { certification, codeFix, detect } from '#test/support/code-fix.ts';
import { GENERATED } from '#test/support/generated-workspaces.ts';

const SECTIONS = [
  'agent',
  'routing',
  'parallelism',
  'context',
  'retrieval',
  'tools',
  'verification',
  'clarification',
  'rollout',
];

describe('harness packages', () => {
  it.each([codeFix, certification])('$name holds together and has the nine sections', (harness) => {
    expect(packageFaults(harness)).toEqual([]);
    expect(Object.keys(harness.profile)).toEqual(['name', 'version', ...SECTIONS]);
    expect(HarnessPackage.parse(JSON.parse(JSON.stringify(harness)))).toEqual(harness);
  });

  it('a layer may change any section, and nothing that is not there', () => {
    for (const section of SECTIONS)
      expect(ProfileLayer.safeParse({ layer: 'user', [section]: {} }).success, section).toBe(true);
    expect(ProfileLayer.safeParse({ layer: 'user', tols: {} }).success).toBe(false);
    expect(ProfileLayer.safeParse({ layer: 'somebody' }).success).toBe(false);
  });

  it('alternatives are ordered weakest first and use only tools they declare', () => {
    for (const tool of [...codeFix.tools, ...certification.tools]) {
      const used = tool.steps.map((step) => ('fix' in step ? 'shell.run' : step.call.tool));
      expect(tool.needs.tools).toEqual(expect.arrayContaining(used));
    }
    expect(codeFix.tools.map(({ rank }) => rank)).toEqual([1, 2, 3]);
  });
});

describe('yesterday’s shapes still parse', () => {
  const criterion = { id: 'lint', text: 'the linter passes', check: { kind: 'command', command: 'eslint .' } };

  it('a criterion gets its defaults', () => {
    expect(Criterion.parse(criterion)).toEqual({
      ...criterion,
      level: 'must',
      clause: null,
      goal: false,
      project_check: null,
      allows: [],
      check: { kind: 'command', command: 'eslint .', cwd: '.', exit: 0, timeout_ms: 120_000 },
    });
  });

  it('runs and results', () => {
    const run = { criterion: 'lint', outcome: 'fail', failures: ['a.js no-var'], evidence: 'e1', tree: 't1' };
    expect(CheckRun.parse(run)).toEqual(run);
    const result = {
      criterion: 'lint',
      level: 'must',
      result: 'unmet',
      before: 'pass',
      new_failures: ['a'],
      red_before: [],
      reason: 'x',
      evidence: ['e1'],
    };
    expect(CheckResult.parse(result)).toEqual(result);
  });

  it('a frozen tool of either kind of step', () => {
    const tool = {
      name: 'x',
      version: 1,
      purpose: 'x',
      families: ['f'],
      side_effect: 'local_write',
      rank: 1,
      needs: {},
      declares: { calls: 1, time_ms: 1 },
      steps: [
        { fix: { kinds: ['lint'], strength: 'safe' }, note: 'fix' },
        { call: { tool: 'shell.run', arguments: { command: 'true' } }, note: 'run', repeat: '${count}' },
      ],
    };
    expect(FrozenTool.parse(tool)).toMatchObject({ again: false, when: [], needs: { tools: [] } });
    expect(FrozenTool.safeParse({ ...tool, steps: [] }).success).toBe(false);
    expect(FrozenTool.safeParse({ ...tool, steps: [{ call: { tool: 'shell' }, note: 'x' }] }).success).toBe(false);
  });

  it.each([
    { ...criterion, id: 'Lint!' },
    { ...criterion, check: { kind: 'command', command: 'x', cwd: '../out' } },
    { ...criterion, check: { kind: 'file', path: '/etc/passwd' } },
    { ...criterion, check: { kind: 'file', path: 'a', matches: '[' } },
    { ...criterion, check: { kind: 'feeling' } },
    { ...criterion, extra: true },
  ])('refuses %j', (value) => {
    expect(Criterion.safeParse(value).success).toBe(false);
  });

  it('a given criterion is one kind of check and no other', () => {
    expect(GivenCriterion.safeParse('npm test').success).toBe(true);
    expect(GivenCriterion.safeParse({ command: 'x', file: 'y' }).success).toBe(false);
  });
});

describe('projects', () => {
  it.each(GENERATED.map((one) => [one.name, one] as const))(
    '%s is detected in the shape of the contract',
    (_name, workspace) => {
      expect(Project.safeParse(detect(workspace.files)).error).toBeUndefined();
    },
  );
});
