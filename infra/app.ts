// The CDK app: `npx cdk synth -c env=prod`. Asked are which environment and, where there is a place to work
// already, its address: `-c sandbox=https://…`. cdk-nag looks at all of it.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { App, Validations } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { AwsSolutionsChecks } from 'cdk-nag';
import { environmentNamed, workingAt } from './environments.ts';
import { addStacks } from './stacks.ts';

const BUNDLES = fileURLToPath(new URL('../dist/functions', import.meta.url));

/** The check of templates against the resources' schemas takes longer than everything else; a test does it (test/infra). */
const app = new App({ builtinCloudFormationValidation: false });
const asked: unknown = app.node.tryGetContext('env');
const sandbox: unknown = app.node.tryGetContext('sandbox');
const environment = environmentNamed(typeof asked === 'string' ? asked : 'dev');
addStacks(app, typeof sandbox === 'string' ? workingAt(environment, sandbox) : environment, (name) => {
  const folder = `${BUNDLES}/${name}`;
  if (!existsSync(folder)) throw new Error(`There is no bundle ${folder}; npm run build:functions makes them.`);
  return Code.fromAsset(folder);
});
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
app.synth();
