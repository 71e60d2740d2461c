// The stacks of an environment, wired: every name carries the environment, so two of them in one account do not meet.
import { readFileSync } from 'node:fs';
import { type App, Stack, Tags } from 'aws-cdk-lib';
import { ManagedPolicy, PermissionsBoundary } from 'aws-cdk-lib/aws-iam';
import type { Code } from 'aws-cdk-lib/aws-lambda';
import * as z from 'zod';
import { VARIABLES } from '#shared/contracts/storage.ts';
import { AppStack } from './app-stack.ts';
import type { CodeName } from './constructs/house.ts';
import { secretArnOf } from './constructs/names.ts';
import type { Sandbox } from './constructs/sandbox.ts';
import { DataStack } from './data-stack.ts';
import { DeployerStack } from './deployer-stack.ts';
import type { Environment } from './environments.ts';
import { prefixOf } from './prefix.ts';
import { SandboxStack } from './sandbox-stack.ts';

export interface Stacks {
  data: DataStack;
  /** Null where an agent-server is there already. */
  sandbox: SandboxStack | null;
  app: AppStack;
}

/** Adds the stacks to an app; `code` gives the code of a function. */
export const addStacks = (app: App, environment: Environment, code: (name: CodeName) => Code): Stacks => {
  const { name, sandbox: place } = environment;
  const env = placeOf(environment);
  const prefix = prefixOf(name);
  Tags.of(app).add('hca:environment', name);
  const data = new DataStack(app, `${prefix}-data`, { environment, env, description: `hca ${name}: what is stored` });
  const tasks =
    place.kind === 'endpoint'
      ? null
      : new SandboxStack(app, `${prefix}-sandbox`, {
          environment,
          env,
          place,
          description: `hca ${name}: where tools run`,
        });
  if (environment.deployer !== null) {
    const about = { description: `hca ${name}: who deploys it`, from: environment.deployer };
    new DeployerStack(app, `${prefix}-deployer`, { environment, env, ...about });
  }
  const description = `hca ${name}: what runs`;
  const version = ownVersion();
  const sandboxOf = (scope: Stack): Sandbox => tasks?.sandbox ?? givenServer(scope, place);
  const main = new AppStack(app, `${prefix}-app`, { environment, env, data, sandboxOf, version, code, description });
  bound(app, environment);
  return { data, sandbox: tasks, app: main };
};

/** A network that is there already is looked up where one deploys, so the stacks belong to that account and region; else they fit any. */
const placeOf = ({ vpc }: Environment): { account?: string; region?: string } => {
  const { CDK_DEFAULT_ACCOUNT: account, CDK_DEFAULT_REGION: region } = process.env;
  return vpc === null || account === undefined || region === undefined ? {} : { account, region };
};

/** Every role of every stack, whoever made it. */
const bound = (app: App, { permission_boundary: arn }: Environment): void => {
  if (arn === null) return;
  for (const stack of app.node.children.filter(Stack.isStack))
    PermissionsBoundary.of(stack).apply(ManagedPolicy.fromManagedPolicyArn(stack, 'Boundary', arn));
};

/** An agent-server that is there already, and the secret with its key. */
const givenServer = (scope: Stack, place: Environment['sandbox']): Sandbox => {
  const { url, secret } = place.kind === 'endpoint' ? place : { url: '', secret: '' };
  const variables = { [VARIABLES.sandbox]: url, [VARIABLES.sandboxSecret]: secret };
  return { secretArn: secretArnOf(scope, secret), network: null, tasks: null, variables };
};

const ownVersion = (): string =>
  z
    .looseObject({ version: z.string() })
    .parse(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))).version;
