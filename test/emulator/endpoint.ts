// The endpoint that this suite runs against, and clients of it. `npm run test:emulator` sets it; keys open nothing.
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { SFNClient } from '@aws-sdk/client-sfn';

export const ENDPOINT = process.env.HCA_TEST_ENDPOINT ?? '';
if (ENDPOINT === '')
  throw new Error('HCA_TEST_ENDPOINT names no endpoint; run this suite with `npm run test:emulator`');

/** Configuration of a client of any service. */
export const of = (endpoint: string) => ({
  endpoint,
  region: 'us-east-1',
  credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
});

export const cloudFormation = (endpoint: string): CloudFormationClient => new CloudFormationClient(of(endpoint));
export const stepFunctions = (endpoint: string): SFNClient => new SFNClient(of(endpoint));
