// Queries of DynamoDB, complete whatever their size: an answer holds at most 1 MB, so every query goes on until nothing is left.
import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { calling, type DynamoTable, type Item, placeholders } from './dynamo-table.ts';

/**
 * A query in DynamoDB's own words. `where`: condition on the key, `only`: what else must hold, both with `#attribute` and `:value`. Strong, but for
 * an index, which lags behind its table by some milliseconds. `limit`: how many items are wanted in all.
 */
export interface Query {
  where: string;
  values: Record<string, unknown>;
  only?: string;
  index?: string;
  newest?: boolean;
  limit?: number;
}

/** The items found, in the order of their sort key, backwards for `newest`. */
export const queryItems = async (table: DynamoTable, query: Query): Promise<Item[]> => {
  const found: Item[] = [];
  for await (const page of pagesOf(table, query)) {
    found.push(...page);
    if (query.limit !== undefined && found.length >= query.limit) return found.slice(0, query.limit);
  }
  return found;
};

/** How many items there are. */
export const countItems = async (table: DynamoTable, query: Omit<Query, 'limit' | 'newest'>): Promise<number> => {
  let count = 0;
  for await (const answer of answersTo(table, { ...inputOf(table, query), Select: 'COUNT' }))
    count += answer.Count ?? 0;
  return count;
};

/** Everything below a partition whose sort key begins like this. */
export const belowKey = (pk: string, begins: string): Pick<Query, 'where' | 'values'> => ({
  where: '#pk = :pk AND begins_with(#sk, :begins)',
  values: { pk, begins },
});

async function* pagesOf(table: DynamoTable, query: Query): AsyncGenerator<Item[]> {
  for await (const { Items: items = [] } of answersTo(table, inputOf(table, query))) {
    yield items.map((item) => ({ ...item, pk: String(item.pk), sk: String(item.sk) }));
  }
}

async function* answersTo(table: DynamoTable, input: QueryCommandInput) {
  let from: QueryCommandInput['ExclusiveStartKey'];
  do {
    const command = new QueryCommand({ ...input, ...(from === undefined ? {} : { ExclusiveStartKey: from }) });
    const answer = await calling(table, () => table.client.send(command));
    yield answer;
    from = answer.LastEvaluatedKey;
  } while (from !== undefined);
}

/** With a filter, DynamoDB would count what it read, not what it found: no limit is sent then. */
function inputOf(table: DynamoTable, query: Query): QueryCommandInput {
  const { where, only, values, index, newest = false, limit } = query;
  return {
    TableName: table.name,
    KeyConditionExpression: where,
    ScanIndexForward: !newest,
    ...placeholders({ if: `${where} ${only ?? ''}`, values }),
    ...(only === undefined ? {} : { FilterExpression: only }),
    ...(index === undefined ? { ConsistentRead: true } : { IndexName: index }),
    ...(limit === undefined || only !== undefined ? {} : { Limit: limit }),
  };
}
