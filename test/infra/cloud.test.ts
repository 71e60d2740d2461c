// Deploying as a person does it: what is missing is said with its remedy before anything begins, and how to begin when all is there.
import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { beginning } from '#scripts/cloud/told.ts';

const NOBODY = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  AWS_EC2_METADATA_DISABLED: 'true',
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
};
const SOMEBODY = {
  ...NOBODY,
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'test',
  AWS_SECRET_ACCESS_KEY: 'test',
};

const cloud = async (command: string, args: string[], env: NodeJS.ProcessEnv) => {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', `scripts/${command}.ts`, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', err: '' };
  child.stdout.on('data', (text) => {
    said.out += String(text);
  });
  child.stderr.on('data', (text) => {
    said.err += String(text);
  });
  const exit = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { exit, ...said };
};

/** An account without CDK's own stack, in which one of ours may be; or one that refuses, by this name, whoever asks. What was asked is noted. */
let server: Server;
let stacks = '';
let refusal = '';
let asked: string[] = [];
const account = (): NodeJS.ProcessEnv => ({
  ...SOMEBODY,
  AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
});

const refused = (): string =>
  `<ErrorResponse><Error><Type>Sender</Type><Code>${refusal}</Code><Message>as AWS says it</Message></Error></ErrorResponse>`;

const notThere = (name: string): string =>
  `<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id ${name} does not exist</Message></Error></ErrorResponse>`;

const answerOf = (body: string): { status: number; text: string } => {
  if (refusal !== '') return { status: 403, text: refused() };
  const wanted = new URLSearchParams(body).get('StackName') ?? '';
  if (!stacks.includes(`<StackName>${wanted}</StackName>`)) return { status: 400, text: notThere(wanted) };
  const found = `<DescribeStacksResult><Stacks>${stacks}</Stacks></DescribeStacksResult>`;
  return { status: 200, text: `<DescribeStacksResponse>${found}</DescribeStacksResponse>` };
};

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (text) => {
      body += String(text);
    });
    request.on('end', () => {
      asked.push(new URLSearchParams(body).get('Action') ?? '');
      const { status, text } = answerOf(body);
      response.writeHead(status, { 'content-type': 'text/xml' }).end(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => void server.close());

describe('before a deployment', () => {
  test.each([
    {
      what: 'an unknown environment',
      command: 'deploy',
      args: ['--env', 'nope'],
      env: SOMEBODY,
      remedy: 'give one of: dev, staging, prod',
    },
    {
      what: 'an option that is none',
      command: 'diff',
      args: ['--envv', 'dev'],
      env: SOMEBODY,
      remedy: 'npm run diff -- --env dev|staging|prod',
    },
    {
      what: 'a name without its option',
      command: 'destroy',
      args: ['dev'],
      env: SOMEBODY,
      remedy: 'npm run destroy -- --env dev|staging|prod',
    },
    { what: 'no environment', command: 'deploy', args: [], env: SOMEBODY, remedy: '--env dev' },
    { what: 'no region', command: 'deploy', args: ['--env', 'dev'], env: NOBODY, remedy: 'export AWS_REGION=' },
    {
      what: 'no credentials',
      command: 'diff',
      args: ['--env', 'dev'],
      env: { ...NOBODY, AWS_REGION: 'eu-central-1' },
      remedy: 'aws sso login',
    },
    {
      what: 'nobody at the endpoint',
      command: 'outputs',
      args: ['--env', 'dev'],
      env: { ...SOMEBODY, AWS_ENDPOINT_URL: 'http://127.0.0.1:9' },
      remedy: 'AWS_ENDPOINT_URL',
    },
  ])('$what is said, with the remedy', async ({ command, args, env, remedy }) => {
    const said = await cloud(command, args, env);
    expect(said.err).toContain(remedy);
    expect([said.exit, said.out]).toEqual([2, '']);
  });

  test('--help says how it is called', async () => {
    const { exit, out, err } = await cloud('outputs', ['--help'], NOBODY);
    expect([exit, err]).toEqual([0, '']);
    expect(out).toContain('npm run outputs -- --env dev|staging|prod');
  });

  test('an account that is not ready is told how to become so', async () => {
    const said = await cloud('deploy', ['--env', 'dev'], account());
    expect(said.err).toContain('npx cdk bootstrap');
    expect(said.exit).toBe(2);
  });

  test.each([
    ['ExpiredToken', 'Log in again, or set another AWS_PROFILE'],
    ['InvalidClientTokenId', 'Log in again, or set another AWS_PROFILE'],
    ['SignatureDoesNotMatch', 'Log in again, or set another AWS_PROFILE'],
    ['RequestExpired', 'Set the clock of this machine'],
    ['AccessDenied', 'Use a role that may deploy'],
  ])(
    'credentials that are refused as %s are said to be, by every command, and nothing is begun',
    async (code, remedy) => {
      onTestFinished(() => {
        refusal = '';
      });
      refusal = code;
      asked = [];
      for (const command of ['deploy', 'destroy']) {
        const said = await cloud(command, ['--env', 'dev'], account());
        expect(said).toEqual({ exit: 2, out: '', err: expect.stringMatching(new RegExp(`^.*${remedy}\n$`)) });
      }
      expect([...new Set(asked)]).toEqual(['DescribeStacks']);
    },
  );

  test('production is destroyed by its typed name alone', async () => {
    for (const typed of [[], ['--confirm', 'dev']]) {
      const said = await cloud('destroy', ['--env', 'prod', ...typed], account());
      expect(said.err).toContain('--confirm prod');
      expect(said.exit).toBe(2);
    }
  });
});

describe('after a deployment', () => {
  test('what is not deployed says how to deploy it', async () => {
    stacks = '';
    expect((await cloud('outputs', ['--env', 'dev'], account())).err).toContain('npm run deploy -- --env dev');
  });

  test('the endpoint, the first commands, the dashboard and what DNS has to say are told', () => {
    const outputs = {
      ...{ RpcUrl: 'https://hca.example.org/rpc', AcpUrl: 'wss://ws.hca.example.org', Dashboard: 'hca-prod' },
      ...{ RpcDns: 'd-1.execute-api', RpcDnsZone: 'Z1', AcpDns: 'd-2.execute-api', AcpDnsZone: 'Z2' },
    };
    const deployed = { name: 'hca-prod-app', region: 'eu-central-1', outputs };
    const told = beginning(deployed, { kind: 'jwt', issuer: 'https://login.example.org', audience: 'hca' }, '');
    expect(`\n${told.join('\n')}\n`).toBe(`
Endpoint   https://hca.example.org
WebSocket  wss://ws.hca.example.org
Dashboard  https://eu-central-1.console.aws.amazon.com/cloudwatch/home?region=eu-central-1#dashboards/dashboard/hca-prod
DNS        hca.example.org is to be an alias of d-1.execute-api (hosted zone Z1), or a CNAME
DNS        ws.hca.example.org is to be an alias of d-2.execute-api (hosted zone Z2), or a CNAME

Begin with:
  npx hca login --endpoint https://hca.example.org --socket wss://ws.hca.example.org --issuer https://login.example.org
  npx hca run "make lint and tests pass" --workspace examples/workspaces/harbour-board --endpoint https://hca.example.org
`);
  });

  test('the lines of an emulator are for its own address, and for a shell', async () => {
    const outputs = { RpcUrl: 'https://abc.example/rpc', AcpUrl: 'wss://def.example/live', Dashboard: 'hca-dev' };
    const members = Object.entries(outputs)
      .map(([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`)
      .join('');
    stacks = `<member><StackName>hca-dev-app</StackName><StackStatus>CREATE_COMPLETE</StackStatus><CreationTime>2026-01-01T00:00:00Z</CreationTime><Outputs>${members}</Outputs></member>`;
    const said = await cloud('outputs', ['--env', 'dev'], account());
    const at = String(account().AWS_ENDPOINT_URL);
    const http = `'${at}/_aws/execute-api/abc/$default'`;
    const socket = `${at.replace('http', 'ws')}/_aws/execute-api/def/live`;
    expect(said).toMatchObject({ exit: 0, err: '' });
    expect(said.out).toContain(`hca login --endpoint ${http} --socket ${socket} --aws\n`);
    expect(said.out).toContain(`--workspace examples/workspaces/harbour-board --endpoint ${http}\n`);
    expect(said.out).toContain('region=eu-central-1#dashboards/dashboard/hca-dev');
  });
});
