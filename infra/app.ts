// The CDK app: `npx cdk synth -c env=prod`. Which environment is all that is asked, `dev` when nothing is said; `-c sandbox=<url>` puts an agent-server that is there already in
// place of tasks, with the key in the secret `hca-<env>-sandbox-key`. cdk-nag looks at all of it.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { App, Validations } from 'aws-cdk-lib';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { CodeName } from './constructs/house.ts';
import { type Environment, environmentNamed } from './environments.ts';
import { sandboxKeyOf } from './sandbox-stack.ts';
import { addStacks } from './stacks.ts';

const BUNDLES = fileURLToPath(new URL('../dist/functions', import.meta.url));

/** The check of templates against the resources' schemas takes longer than everything else; a test does it (test/infra). */
const app = new App({ builtinCloudFormationValidation: false });
addStacks(app, asked(), codeOf);
Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
app.synth();

function asked(): Environment {
  const environment = named(given('env') ?? 'dev');
  const url = given('sandbox');
  if (url === undefined) return environment;
  return { ...environment, sandbox: { kind: 'endpoint', url, secret: sandboxKeyOf(environment.name) } };
}

/** An unknown one is somebody's mistake and no bug: one line says it. */
function named(name: string): Environment {
  try {
    return environmentNamed(name);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exit(1);
  }
}

function given(name: string): string | undefined {
  const value: unknown = app.node.tryGetContext(name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function codeOf(name: CodeName): Code {
  const folder = `${BUNDLES}/${name}`;
  if (!existsSync(folder)) throw new Error(`There is no bundle ${folder}; npm run build:functions makes them.`);
  return Code.fromAsset(folder);
}
