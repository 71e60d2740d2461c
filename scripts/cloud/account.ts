// The account that the credentials of this shell open: whether there is one, whether it is ready for CDK, what of ours is in it.
import { CloudFormationClient, DescribeStacksCommand, type Stack } from '@aws-sdk/client-cloudformation';

/** A stack that is there, with its outputs. */
export interface Deployed {
  name: string;
  region: string;
  outputs: Readonly<Record<string, string>>;
}

/** Refuses to begin where nothing could be deployed. @throws Error that says what is missing and how to get it */
export const refuseNoAccount = async ({ bootstrapped }: { bootstrapped: boolean }): Promise<void> => {
  const client = new CloudFormationClient({});
  try {
    const region = await client.config.region();
    const [stack] = await stackNamed(client, 'CDKToolkit');
    if (stack === undefined && bootstrapped) throw new Error(notReady(region));
  } catch (caught) {
    throw told(caught);
  }
};

/** Those of an environment that are there, asked for by name: the role of a pipeline may look at no others. */
export const deployedStacks = async (prefix: string): Promise<Deployed[]> => {
  const client = new CloudFormationClient({});
  const region = await client.config.region();
  const found = await Promise.all(PARTS.map((part) => stackNamed(client, `${prefix}-${part}`)));
  return found.flat().map(deployed(region));
};

/** What the name of a stack ends with (infra/stacks.ts). */
const PARTS = ['data', 'sandbox', 'app', 'deployer'] as const;

const deployed =
  (region: string) =>
  ({ StackName: name = '', Outputs = [] }: Stack): Deployed => ({
    name,
    region,
    outputs: Object.fromEntries(Outputs.map(({ OutputKey = '', OutputValue = '' }) => [OutputKey, OutputValue])),
  });

/** Empty where there is none. */
const stackNamed = async (client: CloudFormationClient, StackName: string): Promise<Stack[]> => {
  try {
    return (await client.send(new DescribeStacksCommand({ StackName }))).Stacks ?? [];
  } catch (caught) {
    if (caught instanceof Error && /does not exist/.test(caught.message)) return [];
    throw caught;
  }
};

const notReady = (region: string): string =>
  `This account is not ready for CDK in ${region}. Once per account and region: npx cdk bootstrap`;

/** What the SDK says, by its name and words, and what to do. */
const KNOWN: readonly (readonly [RegExp, string])[] = [
  [/Region is missing/, 'No AWS region is set. Set one: export AWS_REGION=eu-central-1'],
  [
    /CredentialsProvider|Could not load credentials/,
    'There are no AWS credentials. Set AWS_PROFILE, or log in: aws sso login, or aws configure',
  ],
  [
    /RequestExpired|Signature expired|TooSkewed/,
    'AWS does not take the time of this request. Set the clock of this machine',
  ],
  [
    /ExpiredToken|InvalidClientTokenId|UnrecognizedClient|SignatureDoesNotMatch/,
    'AWS does not take these credentials. Log in again, or set another AWS_PROFILE',
  ],
  [/AccessDenied/, 'These credentials may not look at stacks. Use a role that may deploy'],
  [/ECONN|ENOTFOUND|ETIMEDOUT|EAI_AGAIN/, 'AWS cannot be reached. Look at the network and at AWS_ENDPOINT_URL'],
];

const told = (caught: unknown): Error => {
  const said = caught instanceof Error ? caught : new Error(String(caught));
  const text = `${said.name} ${said.message} ${'code' in said ? String(said.code) : ''}`;
  const remedy = KNOWN.find(([pattern]) => pattern.test(text))?.[1];
  return remedy === undefined ? said : new Error(remedy, { cause: said });
};
