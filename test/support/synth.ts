// An environment's stacks, synthesized without bundling: a function's code is one line, so that a suite takes seconds.
import { App } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { Code } from 'aws-cdk-lib/aws-lambda';
import * as z from 'zod';
import { type Environment, environmentNamed } from '../../infra/environments.ts';
import { addStacks, type Stacks } from '../../infra/stacks.ts';

export { Match };

/** An app with an environment, ready to be looked at. */
export const appOf = (environment: Environment): { app: App; stacks: Stacks } => {
  const app = new App({ builtinCloudFormationValidation: false });
  return { app, stacks: addStacks(app, environment, () => Code.fromInline('export const handler = () => 1')) };
};

/** Templates of an environment. */
export const templatesOf = (name: string, changes: Partial<Environment> = {}) => {
  const { stacks } = appOf({ ...environmentNamed(name), ...changes });
  return {
    data: Template.fromStack(stacks.data),
    sandbox: Template.fromStack(stacks.sandbox ?? stacks.data),
    app: Template.fromStack(stacks.app),
  };
};

export type Templates = ReturnType<typeof templatesOf>;

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
