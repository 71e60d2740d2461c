// Machines with functions that ask the test what to do: every call comes to a server of the test's own, which answers or says what to throw.

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  type CloudFormationClient,
  CreateStackCommand,
  DeleteStackCommand,
  DescribeStacksCommand,
  waitUntilStackCreateComplete,
} from '@aws-sdk/client-cloudformation';
import { cloudFormation } from './endpoint.ts';

export type Json = Record<string, unknown>;

/** What a function does: returns, or throws an error of this name. */
export type Reply = { output: unknown } | { fault: string };

/** Answers a call of a function with the payload it got. */
export type Respond = (name: string, payload: Json) => Reply | Promise<Reply>;

export interface StubStack {
  /** ARN of each machine by name. */
  machines: Record<string, string>;
  close(): Promise<void>;
}

/** The code of every stub. Two do not ask: `commands` answers which of the commands it is given are on its PATH, `dies` ends its process. */
const CODE = `const { existsSync } = require('node:fs');
const isThere = (command) => process.env.PATH.split(':').some((folder) => existsSync(folder + '/' + command));
exports.handler = async (payload) => {
  if (process.env.NAME === 'commands') return payload.filter(isThere);
  if (process.env.NAME === 'dies') process.exit(1);
  const answer = await fetch(process.env.ASK, { method: 'POST', body: JSON.stringify({ name: process.env.NAME, payload }) });
  const { output, fault } = await answer.json();
  if (fault) throw Object.assign(new Error(fault + ' as scripted'), { name: fault });
  return output;
};`;

export interface StubOptions {
  endpoint: string;
  name: string;
  /** Parsed machine files by name; \`\${x}\` in them is the function x. */
  machines: Record<string, unknown>;
  functions: readonly string[];
  respond: Respond;
  /** More resources, and outputs of them: they come back beside the ARNs of the machines. The function x is the resource Functionx. */
  more?: { resources: Json; outputs: Json };
}

export const deployStubs = async ({
  endpoint,
  name,
  machines,
  functions,
  respond,
  more,
}: StubOptions): Promise<StubStack> => {
  const server = await listen(respond);
  const client = cloudFormation(endpoint);
  const { port } = server.address() as { port: number };
  await client.send(
    new CreateStackCommand({
      StackName: name,
      TemplateBody: JSON.stringify(template({ machines, functions, more, ask: `http://127.0.0.1:${port}` })),
      Capabilities: ['CAPABILITY_IAM'],
    }),
  );
  await waitUntilStackCreateComplete({ client, maxWaitTime: 60, minDelay: 1, maxDelay: 1 }, { StackName: name });
  return {
    machines: await outputsOf(client, name),
    close: async () => {
      await client.send(new DeleteStackCommand({ StackName: name }));
      server.closeAllConnections();
      server.close();
    },
  };
};

async function listen(respond: Respond): Promise<Server> {
  const server = createServer((request, response) => {
    void text(request)
      .then(async (body) => {
        const { name, payload } = JSON.parse(body) as { name: string; payload: Json };
        return respond(name, payload);
      })
      .catch((error: unknown) => ({ fault: 'TestBroken', message: String(error) }))
      .then((reply) => response.end(JSON.stringify(reply)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function template({
  machines,
  functions,
  more,
  ask,
}: Omit<StubOptions, 'endpoint' | 'name' | 'respond'> & { ask: string }): Json {
  const logical = (name: string): string => name.replaceAll(/[^A-Za-z0-9]/g, '');
  const lambdas = functions.map((name) => [
    `Function${logical(name)}`,
    {
      Type: 'AWS::Lambda::Function',
      Properties: {
        Runtime: 'nodejs24.x',
        Handler: 'index.handler',
        Timeout: 60,
        Role: 'arn:aws:iam::000000000000:role/stub',
        Environment: { Variables: { ASK: ask, NAME: name } },
        Code: { ZipFile: CODE },
      },
    },
  ]);
  const definitions = Object.entries(machines).map(([name, json]) => [
    `Machine${logical(name)}`,
    {
      Type: 'AWS::StepFunctions::StateMachine',
      Properties: {
        RoleArn: 'arn:aws:iam::000000000000:role/stub',
        DefinitionString: JSON.stringify(json),
        DefinitionSubstitutions: Object.fromEntries(
          functions.map((step) => [step, { 'Fn::GetAtt': [`Function${logical(step)}`, 'Arn'] }]),
        ),
      },
    },
  ]);
  const outputs = Object.keys(machines).map((name) => [logical(name), { Value: { Ref: `Machine${logical(name)}` } }]);
  return {
    Resources: { ...Object.fromEntries([...lambdas, ...definitions]), ...more?.resources },
    Outputs: { ...Object.fromEntries(outputs), ...more?.outputs },
  };
}

async function outputsOf(client: CloudFormationClient, name: string): Promise<Record<string, string>> {
  const { Stacks } = await client.send(new DescribeStacksCommand({ StackName: name }));
  return Object.fromEntries(
    (Stacks?.[0]?.Outputs ?? []).map(({ OutputKey, OutputValue }) => [OutputKey!, OutputValue!]),
  );
}
