// What is stored: a table for each store port, made from the one description of them, and the bucket of bytes (architecture section 8).
import { CfnOutput, Duration, RemovalPolicy, Stack, type StackProps, Tags } from 'aws-cdk-lib';
import {
  AttributeType,
  BillingMode,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from 'aws-cdk-lib/aws-dynamodb';
import { BlockPublicAccess, Bucket, BucketEncryption } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { CONTENT_DAYS, PREFIXES } from '#shared/contracts/bucket.ts';
import { EXPIRES_AT, TABLES, type TableIndex, type TableName, type TableShape } from '#shared/contracts/storage.ts';
import { bucketNameOf } from './constructs/names.ts';
import type { Environment } from './environments.ts';
import { because } from './reasons.ts';

export interface DataStackProps extends StackProps {
  environment: Environment;
}

/** Tables and bucket; they outlive the app stack, and in production their own. */
export class DataStack extends Stack {
  readonly tables: Readonly<Record<TableName, Table>>;
  readonly bucket: Bucket;

  constructor(scope: Construct, id: string, { environment, ...props }: DataStackProps) {
    super(scope, id, props);
    Tags.of(this).add('hca:part', 'data');
    const make = (name: TableName): Table => tableOf(this, name, environment);
    this.tables = {
      holons: make('holons'),
      tasks: make('tasks'),
      waits: make('waits'),
      ledger: make('ledger'),
      journal: make('journal'),
      lessons: make('lessons'),
      sessions: make('sessions'),
      profiles: make('profiles'),
    };
    this.bucket = bucketOf(this, environment);
    new CfnOutput(this, 'BucketName', { value: this.bucket.bucketName });
    for (const [name, table] of Object.entries(this.tables))
      new CfnOutput(this, `Table${name[0]?.toUpperCase()}${name.slice(1)}`, { value: table.tableName });
  }
}

const removalOf = ({ removal }: Environment): RemovalPolicy =>
  removal === 'keep' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;

const tableOf = (scope: Construct, name: TableName, environment: Environment): Table => {
  const shape: TableShape = TABLES[name];
  const table = new Table(scope, `${name[0]?.toUpperCase()}${name.slice(1)}`, {
    partitionKey: { name: 'pk', type: AttributeType.STRING },
    sortKey: { name: 'sk', type: AttributeType.STRING },
    billingMode: BillingMode.PAY_PER_REQUEST,
    encryption: TableEncryption.DEFAULT,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: environment.recovery },
    deletionProtection: environment.removal === 'keep',
    removalPolicy: removalOf(environment),
    ...(shape.expires ? { timeToLiveAttribute: EXPIRES_AT } : {}),
    ...(shape.stream ? { stream: StreamViewType.KEYS_ONLY } : {}),
  });
  for (const { name: indexName, partition, sort, copies } of shape.indexes)
    table.addGlobalSecondaryIndex({
      indexName,
      partitionKey: { name: partition, type: AttributeType.STRING },
      sortKey: { name: sort, type: AttributeType.STRING },
      ...projectionOf(copies),
    });
  if (!environment.recovery)
    because(table, {
      'AwsSolutions-DDB3':
        'An environment to try things in: what it holds can be made again, and recovery costs by the GB.',
    });
  return table;
};

const projectionOf = (copies: TableIndex['copies']) => {
  if (copies === 'all') return { projectionType: ProjectionType.ALL };
  if (copies.length === 0) return { projectionType: ProjectionType.KEYS_ONLY };
  return { projectionType: ProjectionType.INCLUDE, nonKeyAttributes: [...copies] };
};

/** Before a stack is destroyed, `npm run destroy` empties its bucket. Replaced versions go after some days, uploads that were cut off after
 * one, and content of workspaces when no tree that lasts can name it any more. */
const bucketOf = (scope: Construct, environment: Environment): Bucket => {
  const bucket = new Bucket(scope, 'Bytes', {
    bucketName: bucketNameOf(environment.name),
    versioned: true,
    encryption: BucketEncryption.S3_MANAGED,
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    enforceSSL: true,
    removalPolicy: removalOf(environment),
    lifecycleRules: [
      {
        noncurrentVersionExpiration: Duration.days(environment.retention.versions),
        abortIncompleteMultipartUploadAfter: Duration.days(1),
      },
      { prefix: PREFIXES.workspaces, expiration: Duration.days(CONTENT_DAYS.expire) },
    ],
  });
  because(bucket, {
    'AwsSolutions-S1':
      'Every object is read and written by functions of ours that log and trace each access; access logs would be a second copy of that.',
  });
  return bucket;
};
