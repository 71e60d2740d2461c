// What every DynamoDB adapter stands on: the client, one item read and written on a condition, and its size checked before the call.
// Single-item conditional writes are all there is: no transaction, no scan (architecture section 8).
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { HcaFault } from '#shared/contracts/errors.ts';
import { awsFault } from './aws-faults.ts';

/** A table as an adapter is given it. */
export interface DynamoTable {
  client: DynamoDBDocumentClient;
  name: string;
}

/** Key of an item; every table has these two. */
export type Key = { pk: string; sk: string };

/** An item as it is stored: its key and whatever attributes its adapter gives it. */
export type Item = Key & Record<string, unknown>;

/**
 * A condition in DynamoDB's own words. Attributes are written `#name` and values `:name`: no attribute can collide with a reserved word, and
 * `values` holds them by name without the colon.
 */
export interface Condition {
  if: string;
  values?: Record<string, unknown>;
}

/** An update: `set` is the whole expression (`SET …`, `REMOVE …`, `ADD …`), `if` its condition. */
export interface Change {
  set: string;
  if?: string;
  values?: Record<string, unknown>;
}

/** Most bytes of an item: DynamoDB's limit of 400 KB. */
const ITEM_BYTES = 400 * 1024;
/** What an attribute costs that is no text: numbers have at most 21 bytes. */
const SMALL_BYTES = 24;

/** Longest that connecting and a request may take, in ms: a healthy answer takes less than 20, and a Lambda's slice is short. */
const CONNECT_MS = 2_000;
const REQUEST_MS = 5_000;

/**
 * A client. It tries once: a machine's Retry owns the repeats. A door, where nobody repeats, gives `maxAttempts`. Region, credentials and
 * AWS_ENDPOINT_URL are found by the SDK itself.
 */
export const dynamoClient = (config: DynamoDBClientConfig = {}): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(
    new DynamoDBClient({
      maxAttempts: 1,
      requestHandler: {
        connectionTimeout: CONNECT_MS,
        requestTimeout: REQUEST_MS,
        throwOnRequestTimeout: true,
        httpAgent: { keepAlive: true },
        httpsAgent: { keepAlive: true },
      },
      ...config,
    }),
    { marshallOptions: { removeUndefinedValues: true } },
  );

/** One item by a strong read. */
export const getItem = async (table: DynamoTable, key: Key): Promise<Item | undefined> => {
  const command = new GetCommand({ TableName: table.name, Key: keyOf(key), ConsistentRead: true });
  const { Item: item } = await calling(table, () => table.client.send(command));
  return item === undefined ? undefined : { ...keyOf(key), ...item };
};

/** Writes a whole item; false when the condition does not hold. @throws HcaFault HcaTooLarge before the call */
export const putItem = async (table: DynamoTable, item: Item, condition?: Condition): Promise<boolean> => {
  refuseLarge(table, item, item);
  const command = new PutCommand({
    TableName: table.name,
    Item: item,
    ...(condition === undefined ? {} : { ConditionExpression: condition.if, ...placeholders(condition) }),
  });
  return holds(() => calling(table, () => table.client.send(command)));
};

/** Writes an item unless there is one; false when there is. */
export const putNew = (table: DynamoTable, item: Item): Promise<boolean> =>
  putItem(table, item, { if: 'attribute_not_exists(#pk)' });

/** Changes an item, or makes it; gives it as it is afterwards, or undefined when the condition does not hold. */
export const updateItem = async (table: DynamoTable, key: Key, change: Change): Promise<Item | undefined> => {
  refuseLarge(table, key, change.values ?? {});
  const command = new UpdateCommand({
    TableName: table.name,
    Key: keyOf(key),
    UpdateExpression: change.set,
    ...(change.if === undefined ? {} : { ConditionExpression: change.if }),
    ...placeholders({ if: `${change.set} ${change.if ?? ''}`, ...valuesOf(change) }),
    ReturnValues: 'ALL_NEW',
  });
  let after: Record<string, unknown> = {};
  const held = await holds(async () => {
    after = (await calling(table, () => table.client.send(command))).Attributes ?? {};
  });
  return held ? { ...after, ...keyOf(key) } : undefined;
};

/** Deletes an item, or nothing when there is none; false when the condition does not hold. */
export const removeItem = (table: DynamoTable, key: Key, condition?: Condition): Promise<boolean> => {
  const command = new DeleteCommand({
    TableName: table.name,
    Key: keyOf(key),
    ...(condition === undefined ? {} : { ConditionExpression: condition.if, ...placeholders(condition) }),
  });
  return holds(() => calling(table, () => table.client.send(command)));
};

/** The names and values that an expression mentions, as a request wants them: `#state` stands for the attribute `state`. */
export const placeholders = ({ if: text, values = {} }: Condition) => {
  const names = [...new Set(text.match(/#\w+/g) ?? [])].map((name) => [name, name.slice(1)]);
  const given = Object.entries(values).map(([name, value]) => [`:${name}`, value]);
  return {
    ...(names.length === 0 ? {} : { ExpressionAttributeNames: Object.fromEntries(names) }),
    ...(given.length === 0 ? {} : { ExpressionAttributeValues: Object.fromEntries(given) }),
  };
};

/** Makes a call; what goes wrong is a fault that names the table. */
export const calling = async <T>(table: DynamoTable, call: () => Promise<T>): Promise<T> => {
  try {
    return await call();
  } catch (caught) {
    throw awsFault(caught, `table ${table.name}`);
  }
};

const keyOf = ({ pk, sk }: Key): Key => ({ pk, sk });

const valuesOf = ({ values }: Change) => (values === undefined ? {} : { values });

/** A condition that does not hold is an answer; everything else is thrown on. */
async function holds(call: () => Promise<unknown>): Promise<boolean> {
  try {
    await call();
    return true;
  } catch (caught) {
    if (caught instanceof Error && caught.name === 'ConditionalCheckFailedException') return false;
    throw caught;
  }
}

function refuseLarge(table: DynamoTable, { pk, sk }: Key, attributes: Record<string, unknown>): void {
  const bytes = Object.entries(attributes).reduce((sum, [name, value]) => sum + name.length + bytesOf(value), 0);
  if (bytes <= ITEM_BYTES) return;
  throw new HcaFault('HcaTooLarge', {
    message: `${sk} of ${pk} is ${bytes} bytes, an item of table ${table.name} holds at most ${ITEM_BYTES}`,
    field: sk,
    remedy: 'give it less; content belongs in an artifact',
  });
}

const bytesOf = (value: unknown): number => {
  if (typeof value === 'string') return Buffer.byteLength(value);
  return value instanceof Uint8Array ? value.byteLength : SMALL_BYTES;
};
