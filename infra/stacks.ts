// The stacks of an environment, wired: every name carries the environment, so two of them in one account do not meet.
import { readFileSync } from 'node:fs';
import { type App, type Stack, Tags } from 'aws-cdk-lib';
import type { Code } from 'aws-cdk-lib/aws-lambda';
import * as z from 'zod';
import { VARIABLES } from '#shared/contracts/storage.ts';
import { AppStack } from './app-stack.ts';
import type { CodeName } from './constructs/house.ts';
import { prefixOf, secretArnOf } from './constructs/names.ts';
import type { Sandbox } from './constructs/sandbox.ts';
import { DataStack } from './data-stack.ts';
import { DeployerStack } from './deployer-stack.ts';
import type { Environment } from './environments.ts';
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
  const prefix = prefixOf(name);
  Tags.of(app).add('hca:environment', name);
  const data = new DataStack(app, `${prefix}-data`, { environment, description: `hca ${name}: what is stored` });
  const tasks =
    place.kind === 'endpoint'
      ? null
      : new SandboxStack(app, `${prefix}-sandbox`, { environment, place, description: `hca ${name}: where tools run` });
  if (environment.deployer !== null) {
    const about = { description: `hca ${name}: who deploys it`, repository: environment.deployer };
    new DeployerStack(app, `${prefix}-deployer`, { environment, ...about });
  }
  const description = `hca ${name}: what runs`;
  const version = ownVersion();
  const sandboxOf = (scope: Stack): Sandbox => tasks?.sandbox ?? givenServer(scope, place);
  return {
    data,
    sandbox: tasks,
    app: new AppStack(app, `${prefix}-app`, { environment, data, sandboxOf, version, code, description }),
  };
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
