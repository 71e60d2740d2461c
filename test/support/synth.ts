// An environment's stacks, synthesized without bundling: a function's code is one line, so that a suite takes seconds. Each is made once for a process,
// looked at by cdk-nag as when it is deployed, and read into memory: nothing of it stays on the disk.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { App, Validations } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { AwsSolutionsChecks } from 'cdk-nag';
import * as z from 'zod';
import { type Environment, environmentNamed } from '../../infra/environments.ts';
import { addStacks, type Stacks } from '../../infra/stacks.ts';

export { Match };

/** `sandbox`: that of the data where none is deployed. `violations`: rules of cdk-nag, and of the schemas of resources where they were asked for. */
export interface Templates {
  data: Template;
  sandbox: Template;
  app: Template;
  deployer: Template | null;
  violations: string[];
}

const kept = new Map<string, Templates>();

/** What the CDK command tells the app: the feature flags. */
const { context } = z
  .looseObject({ context: z.record(z.string(), z.unknown()) })
  .parse(JSON.parse(readFileSync(new URL('../../cdk.json', import.meta.url), 'utf8')));

/** Templates of an environment, some of its fields changed. @throws Error naming what cdk-nag found and nobody acknowledged */
export const templatesOf = (name: string, changes: Partial<Environment> = {}): Templates => {
  const { CDK_DEFAULT_ACCOUNT, CDK_DEFAULT_REGION } = process.env;
  const key = JSON.stringify([name, changes, CDK_DEFAULT_ACCOUNT, CDK_DEFAULT_REGION]);
  const made = kept.get(key) ?? synthesized({ ...environmentNamed(name), ...changes });
  kept.set(key, made);
  return made;
};

/** The same, made anew: with a change to the stacks themselves, or checked against the schemas of their resources, which takes seconds. */
export const synthesized = (
  environment: Environment,
  { schemas = false, rules = true, spoil = () => undefined }: Looks = {},
): Templates => {
  const outdir = mkdtempSync(path.join(os.tmpdir(), 'hca-synth-'));
  try {
    const app = new App({ outdir, context, builtinCloudFormationValidation: schemas });
    spoil(addStacks(app, environment, () => Code.fromInline('export const handler = () => 1')));
    if (rules) Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
    return read(app.synth(), environment.name);
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
};

/** `rules`: cdk-nag looks at it. `schemas`: so do the schemas of its resources. `spoil` changes the stacks first. */
interface Looks {
  rules?: boolean;
  schemas?: boolean;
  spoil?(stacks: Stacks): void;
}

const Report = z.looseObject({
  pluginReports: z.array(z.looseObject({ violations: z.array(z.looseObject({ ruleName: z.string() })) })),
});

const read = ({ directory, stacks }: ReturnType<App['synth']>, environment: string): Templates => {
  const found = new Map(stacks.map(({ stackName, template }) => [stackName, template]));
  const one = (part: string): Template | null => {
    const template = found.get(`hca-${environment}-${part}`);
    return template === undefined ? null : Template.fromJSON(template);
  };
  const needed = (part: string): Template => one(part) ?? Template.fromJSON(found.get(`hca-${environment}-data`));
  const file = path.join(directory, 'validation-report.json');
  const { pluginReports } = existsSync(file)
    ? Report.parse(JSON.parse(readFileSync(file, 'utf8')))
    : { pluginReports: [] };
  const violations = pluginReports.flatMap((plugin) => plugin.violations.map(({ ruleName }) => ruleName));
  return {
    data: needed('data'),
    sandbox: needed('sandbox'),
    app: needed('app'),
    deployer: one('deployer'),
    violations,
  };
};

const Statement = z.looseObject({
  Action: z.union([z.string(), z.array(z.string())]),
  Resource: z.union([z.string(), z.looseObject({}), z.array(z.unknown())]),
});
const Policy = z.looseObject({
  Properties: z.looseObject({
    PolicyDocument: z.looseObject({ Statement: z.array(Statement) }),
    Roles: z.array(z.looseObject({ Ref: z.string() })),
  }),
});

/** What roles may do: role's logical id, action, and the resource as JSON text. */
export const permissionsIn = (template: Template): { role: string; action: string; resource: string }[] =>
  Object.values(template.findResources('AWS::IAM::Policy')).flatMap((raw) => {
    const { PolicyDocument, Roles } = Policy.parse(raw).Properties;
    return PolicyDocument.Statement.flatMap(({ Action, Resource }) =>
      [Action]
        .flat()
        .flatMap((action) =>
          [Resource]
            .flat()
            .flatMap((resource) => Roles.map(({ Ref }) => ({ role: Ref, action, resource: JSON.stringify(resource) }))),
        ),
    );
  });

/** Properties of the resources of a type, by logical id. */
export const propertiesOf = (template: Template, type: string): Record<string, Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(template.findResources(type)).map(([id, resource]) => [
      id,
      z.record(z.string(), z.unknown()).parse(resource.Properties ?? {}),
    ]),
  );

const Pairs = z.array(z.object({ Name: z.string(), Value: z.string() }));
const Container = z.looseObject({ Environment: Pairs, Command: z.array(z.string()) });

/** The container of a sandbox task: what it is started with. */
export const sandboxContainer = (sandbox: Template) => {
  const [definition] = Object.values(propertiesOf(sandbox, 'AWS::ECS::TaskDefinition'));
  const [properties] = z.tuple([Container]).parse(definition?.ContainerDefinitions);
  const environment = Object.fromEntries(properties.Environment.map(({ Name, Value }) => [Name, Value]));
  return { properties, environment, command: properties.Command };
};
