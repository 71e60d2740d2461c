// Deploying as a person does it: what is missing is said with its remedy before anything begins, and what runs idle has a price.
import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { idleCost } from '#scripts/cloud/idle-cost.ts';

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

const cloud = async (args: string[], env: NodeJS.ProcessEnv) => {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'scripts/cloud.ts', ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (text) => {
    out += String(text);
  });
  child.stderr.on('data', (text) => {
    err += String(text);
  });
  const exit = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { exit, out, err };
};

/** An account without CDK's own stack, in which one of ours may be. */
let server: Server;
let stacks = '';
const account = (): NodeJS.ProcessEnv => ({
  ...SOMEBODY,
  AWS_ENDPOINT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
});
beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (text) => {
      body += String(text);
    });
    request.on('end', () => {
      const missing = body.includes('StackName=CDKToolkit');
      response.writeHead(missing ? 400 : 200, { 'content-type': 'text/xml' });
      response.end(
        missing
          ? NO_TOOLKIT
          : `<DescribeStacksResponse><DescribeStacksResult><Stacks>${stacks}</Stacks></DescribeStacksResult></DescribeStacksResponse>`,
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => void server.close());

const NO_TOOLKIT =
  '<ErrorResponse><Error><Type>Sender</Type><Code>ValidationError</Code><Message>Stack with id CDKToolkit does not exist</Message></Error></ErrorResponse>';

describe('before a deployment', () => {
  it.each([
    ['deploy --env nope', NOBODY, 'give one of: dev, staging, prod'],
    ['deploy', NOBODY, '--env dev'],
    ['deploy --env dev', NOBODY, 'export AWS_REGION='],
    ['diff --env dev', { ...NOBODY, AWS_REGION: 'eu-central-1' }, 'aws sso login'],
  ])(
    '%s is refused, with the remedy: an unknown environment, none, no region, no credentials',
    async (line, env, remedy) => {
      const said = await cloud(line.split(' '), env);
      expect(said.err).toContain(remedy);
      expect([said.exit, said.out]).toEqual([2, '']);
    },
  );

  it('an account that is not ready is told how to become so', async () => {
    const said = await cloud(['deploy', '--env', 'dev'], account());
    expect(said.err).toContain('npx cdk bootstrap');
    expect(said.exit).toBe(2);
  });

  it('production is destroyed by its typed name alone', async () => {
    for (const typed of [[], ['--confirm', 'dev']]) {
      const said = await cloud(['destroy', '--env', 'prod', ...typed], account());
      expect(said.err).toContain('--confirm prod');
      expect(said.exit).toBe(2);
    }
  });
});

describe('after a deployment', () => {
  it('the endpoint, the first commands and the dashboard are printed; what is not deployed says how to', async () => {
    stacks = '';
    expect((await cloud(['outputs', '--env', 'dev'], account())).err).toContain('npm run deploy -- --env dev');
    const outputs = { RpcUrl: 'https://abc.example/rpc', AcpUrl: 'wss://def.example/dev', Dashboard: 'hca-dev' };
    const members = Object.entries(outputs)
      .map(([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`)
      .join('');
    stacks = `<member><StackName>hca-dev-app</StackName><StackStatus>CREATE_COMPLETE</StackStatus><CreationTime>2026-01-01T00:00:00Z</CreationTime><Outputs>${members}</Outputs></member>`;
    const said = await cloud(['outputs', '--env', 'dev'], account());
    expect(said).toMatchObject({ exit: 0, err: '' });
    expect(said.out).toContain('hca login --endpoint https://abc.example --socket wss://def.example/dev --aws');
    expect(said.out).toMatch(/hca run ".*" .*--endpoint https:\/\/abc\.example/);
    expect(said.out).toContain('region=eu-central-1#dashboards/dashboard/hca-dev');
  });

  it('an idle house has a price: what is paid for by the hour, in each subnet', () => {
    const { rows, sum } = idleCost([
      {
        Resources: {
          Nat: { Type: 'AWS::EC2::NatGateway' },
          Free: { Type: 'AWS::EC2::VPCEndpoint', Properties: { VpcEndpointType: 'Gateway' } },
          Paid: { Type: 'AWS::EC2::VPCEndpoint', Properties: { VpcEndpointType: 'Interface', SubnetIds: ['a', 'b'] } },
          Table: { Type: 'AWS::DynamoDB::Table' },
        },
      },
    ]);
    expect(rows.map(({ type, count }) => [type, count])).toEqual([
      ['AWS::EC2::NatGateway', 1],
      ['AWS::EC2::VPCEndpoint', 2],
    ]);
    expect(sum).toBeCloseTo(0.045 * 730 + 2 * 0.01 * 730);
  });
});
