// What runs: a function for each row of the register, the machines, the bus and its rules, the door, and what watches them (requirements section 9).
import { CfnOutput, Stack, type StackProps, Tags } from 'aws-cdk-lib';
import { type Code, FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource, SqsDlq } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Construct } from 'constructs';
import { FUNCTIONS, type FunctionName } from '#shared/contracts/access.ts';
import { MACHINES } from '#shared/contracts/machines.ts';
import { Bus, Rules } from './constructs/bus.ts';
import { Door } from './constructs/door.ts';
import { ENDLESS } from './constructs/grants.ts';
import type { CodeName, House } from './constructs/house.ts';
import { Machine } from './constructs/machine.ts';
import type { Sandbox } from './constructs/sandbox.ts';
import { StepFunction } from './constructs/step-function.ts';
import { Sweeping } from './constructs/sweeping.ts';
import { Watching } from './constructs/watching.ts';
import type { DataStack } from './data-stack.ts';
import type { Environment } from './environments.ts';
import { prefixOf } from './prefix.ts';
import { becauseEndless } from './reasons.ts';

export interface AppStackProps extends StackProps {
  environment: Environment;
  data: DataStack;
  sandboxOf(scope: Stack): Sandbox;
  version: string;
  code(name: CodeName): Code;
}

export class AppStack extends Stack {
  constructor(scope: Construct, id: string, { environment, data, sandboxOf, version, code, ...props }: AppStackProps) {
    super(scope, id, props);
    Tags.of(this).add('hca:part', 'app');
    const { bus, letters } = new Bus(this, 'Bus', environment);
    const house: House = { environment, version, tables: data.tables, bus, letters, sandbox: sandboxOf(this), code };
    const made = functionsOf(this, house);
    const functionOf = (name: string): StepFunction['lambda'] => made.get(name)?.lambda ?? missing(name);
    const machines = MACHINES.map((name) => ({
      name,
      machine: new Machine(this, `Machine-${name}`, { name, house, functionOf }).machine,
    }));
    new Rules(this, 'Rules', { environment, bus, letters, functionOf });
    new Sweeping(this, 'Sweeping', {
      environment,
      letters,
      sweep: functionOf('sweep'),
      stream: functionOf('stream'),
      upkeep: made.get('upkeep')?.lambda ?? null,
    });
    wake(made.get('stream') ?? missing('stream'), data, house);
    const door = new Door(this, 'Door', {
      environment,
      acp: made.get('acp') ?? missing('acp'),
      stream: made.get('stream') ?? missing('stream'),
      authorize: environment.auth.kind === 'jwt' ? new StepFunction(this, 'authorize', house) : null,
    });
    const namespace = prefixOf(environment.name);
    const functions = new Map([...made].map(([name, { lambda }]) => [name, lambda]));
    const { http, sockets } = door;
    const watched = { namespace, letters, machines, functions, functionOf, tables: data.tables, http, sockets };
    const { dashboardName } = new Watching(this, 'Watching', { environment, watched });
    outputs(this, {
      RpcUrl: door.urls.rpc,
      AcpUrl: door.urls.acp,
      BusName: bus.eventBusName,
      Dashboard: dashboardName,
      DeadLetters: letters.queueUrl,
      ...dnsOf(door),
    });
  }
}

const dnsOf = ({ dns }: Door): Readonly<Record<string, string>> =>
  dns === null
    ? {}
    : { RpcDns: dns.rpc.target, RpcDnsZone: dns.rpc.zone, AcpDns: dns.acp.target, AcpDnsZone: dns.acp.zone };

const functionsOf = (scope: Construct, house: House): Map<string, StepFunction> =>
  new Map(namesFor(house).map((name) => [name, new StepFunction(scope, name, house)]));

/** A pool is kept where sandboxes are tasks of ours. */
const namesFor = ({ sandbox }: House): FunctionName[] =>
  FUNCTIONS.filter((name) => name !== 'upkeep' || sandbox.tasks !== null);

const missing = (name: string): never => {
  throw new Error(`A machine or a message names the function "${name}", which the register does not have.`);
};

/** What else is written to the journal's table is a claim to a place in it. */
const ENTRIES = FilterCriteria.filter({
  eventName: FilterRule.isEqual('INSERT'),
  dynamodb: { Keys: { sk: { S: FilterRule.beginsWith('log#') } } },
});

/** An entry of the journal wakes who pushes to open connections; what is pushed is read from the stores, so records may be dropped after some tries. */
const wake = ({ lambda, role }: StepFunction, { tables }: DataStack, { letters }: House): void => {
  lambda.addEventSource(
    new DynamoEventSource(tables.journal, {
      startingPosition: StartingPosition.LATEST,
      batchSize: 100,
      filters: [ENTRIES],
      retryAttempts: 3,
      bisectBatchOnError: true,
      onFailure: new SqsDlq(letters),
    }),
  );
  becauseEndless(role, ['*'], `${ENDLESS.spans}; dynamodb:ListStreams has no resources either`);
};

const outputs = (scope: Construct, values: Readonly<Record<string, string>>): void => {
  for (const [name, value] of Object.entries(values)) new CfnOutput(scope, name, { value });
};
