// The workflow that people copy: it is sound, keeps no key, and says only commands that are there (requirements section 9).
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { ENVIRONMENTS } from '../../infra/environments.ts';

const FILE = 'examples/ci/deploy.yml';
const text = readFileSync(FILE, 'utf8');

const Permissions = z.record(z.string(), z.enum(['read', 'write', 'none']));
const Step = z.strictObject({
  uses: z
    .string()
    .regex(/^[\w-]+\/[\w-]+@v\d+$/)
    .optional(),
  run: z.string().optional(),
  with: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
});
const Job = z.strictObject({
  'runs-on': z.string(),
  'timeout-minutes': z.int(),
  needs: z.string().optional(),
  environment: z.string().optional(),
  permissions: Permissions.optional(),
  steps: z.array(Step).min(1),
});
const Workflow = z.strictObject({
  name: z.string(),
  on: z.strictObject({ push: z.strictObject({ branches: z.array(z.string()) }) }),
  permissions: Permissions,
  concurrency: z.strictObject({ group: z.string(), 'cancel-in-progress': z.literal(false) }),
  jobs: z.record(z.string(), Job),
});

const { jobs, permissions } = Workflow.parse(parse(text));
const deploying = Object.values(jobs).filter(({ environment }) => environment !== undefined);
const commands = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));

describe('the workflow that deploys', () => {
  test('says only commands that are there', () => {
    const { scripts } = z
      .looseObject({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(readFileSync('package.json', 'utf8')));
    for (const command of commands.filter((one) => one !== 'npm ci')) {
      const script = /^npm run ([\w:-]+)( -- .*)?$/.exec(command)?.[1];
      expect(script === undefined ? existsSync(command) : script in scripts, command).toBe(true);
    }
    expect(commands.length).toBeGreaterThan(3);
  });

  test('takes the role of its environment by a token of its own, and keeps no key', () => {
    expect(deploying.length).toBeGreaterThan(0);
    for (const { environment, permissions: may, steps } of deploying) {
      expect(ENVIRONMENTS.map(({ name }) => name)).toContain(environment);
      expect(may).toEqual({ contents: 'read', 'id-token': 'write' });
      const taken = steps.find(({ uses }) => uses?.startsWith('aws-actions/configure-aws-credentials@'));
      expect(taken?.with?.['role-to-assume']).toBe(`arn:aws:iam::111122223333:role/hca-${environment}-deployer`);
    }
    expect(text).not.toMatch(/secrets\.|AKIA|aws-access-key-id/);
  });

  test('lets no other job ask for a token, and deploys after the checks', () => {
    expect(permissions).toEqual({ contents: 'read' });
    for (const job of Object.values(jobs)) expect(job.permissions !== undefined).toBe(job.environment !== undefined);
    for (const { needs } of deploying) expect(jobs[needs ?? '']?.steps.at(-1)?.run).toBe('.ci/run');
  });

  test('is named where one reads how to deploy', () => {
    expect(readFileSync('docs/how-to/deploy.md', 'utf8')).toContain('(../../examples/ci/deploy.yml)');
  });
});
