// The stacks of an environment, wired: every name carries the environment, so two of them in one account do not meet.
import { type App, Tags } from 'aws-cdk-lib';
import type { Code } from 'aws-cdk-lib/aws-lambda';
import { AppStack } from './app-stack.ts';
import type { CodeName } from './constructs/house.ts';
import { prefixOf } from './constructs/names.ts';
import { DataStack } from './data-stack.ts';
import type { Environment } from './environments.ts';
import { SandboxStack } from './sandbox-stack.ts';

export interface Stacks {
  data: DataStack;
  sandbox: SandboxStack;
  app: AppStack;
}

/** Adds the stacks to an app; `code` gives the code of a function. */
export const addStacks = (app: App, environment: Environment, code: (name: CodeName) => Code): Stacks => {
  const prefix = prefixOf(environment.name);
  Tags.of(app).add('hca:environment', environment.name);
  const data = new DataStack(app, `${prefix}-data`, {
    environment,
    description: `hca ${environment.name}: what is stored`,
  });
  const sandbox = new SandboxStack(app, `${prefix}-sandbox`, {
    environment,
    description: `hca ${environment.name}: where tools run`,
  });
  const about = `hca ${environment.name}: what runs`;
  return {
    data,
    sandbox,
    app: new AppStack(app, `${prefix}-app`, { environment, data, sandbox, code, description: about }),
  };
};
