// Rules of the account's own bus that call stubs: `breaks` fails every time and has a queue for what it failed on, `hears` notes what it is told of the
// ends of executions, and one rule calls a function that is not there and has a queue for that.
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { DeleteMessageCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { vi } from 'vitest';
import { of } from './endpoint.ts';
import type { Json } from './stub-stack.ts';

const arnOf = (resource: string): Json => ({ 'Fn::GetAtt': [resource, 'Arn'] });
const NOBODY = 'arn:aws:lambda:us-east-1:000000000000:function:hca-probe-nobody';

const rule = (pattern: Json, target: Json): Json => ({
  Type: 'AWS::Events::Rule',
  Properties: { EventPattern: pattern, Targets: [{ Id: 'T', ...target }] },
});

const allowed = (name: string): Json => ({
  Type: 'AWS::Lambda::Permission',
  Properties: { Action: 'lambda:InvokeFunction', FunctionName: arnOf(name), Principal: 'events.amazonaws.com' },
});

/** Resources and outputs for a stack of stubs. */
export const RULES = {
  resources: {
    BrokenLetters: { Type: 'AWS::SQS::Queue' },
    NobodysLetters: { Type: 'AWS::SQS::Queue' },
    BreaksMay: allowed('Functionbreaks'),
    HearsMay: allowed('Functionhears'),
    BreaksAgain: {
      Type: 'AWS::Lambda::EventInvokeConfig',
      Properties: {
        FunctionName: { Ref: 'Functionbreaks' },
        Qualifier: '$LATEST',
        MaximumRetryAttempts: 2,
        DestinationConfig: { OnFailure: { Destination: arnOf('BrokenLetters') } },
      },
    },
    Breaking: rule({ source: ['hca-probe'], 'detail-type': ['breaks'] }, { Arn: arnOf('Functionbreaks') }),
    Missing: rule(
      { source: ['hca-probe'], 'detail-type': ['missing'] },
      { Arn: NOBODY, DeadLetterConfig: { Arn: arnOf('NobodysLetters') } },
    ),
    Ending: rule(
      { source: ['aws.states'], 'detail-type': ['Step Functions Execution Status Change'] },
      { Arn: arnOf('Functionhears') },
    ),
  },
  outputs: { broken: { Value: { Ref: 'BrokenLetters' } }, nobodys: { Value: { Ref: 'NobodysLetters' } } },
};

/** Publishes an event that one of the rules matches. */
export const publish = async (endpoint: string, type: 'breaks' | 'missing'): Promise<void> => {
  const entry = { Source: 'hca-probe', DetailType: type, Detail: '{}' };
  await new EventBridgeClient(of(endpoint)).send(new PutEventsCommand({ Entries: [entry] }));
};

/** The next letter of a queue, taken out. */
export const letterOf = async (endpoint: string, queue: string): Promise<Json> => {
  const client = new SQSClient(of(endpoint));
  const found = await vi.waitFor(
    async () => {
      const { Messages: [one] = [] } = await client.send(new ReceiveMessageCommand({ QueueUrl: queue }));
      return one ?? Promise.reject(new Error('no letter'));
    },
    { timeout: 5_000, interval: 200 },
  );
  await client.send(new DeleteMessageCommand({ QueueUrl: queue, ReceiptHandle: found.ReceiptHandle }));
  return JSON.parse(found.Body!) as Json;
};
