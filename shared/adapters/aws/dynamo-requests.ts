// Requests to ACP clients in DynamoDB: asked once, answered once. They lie with their turn; an item beside it finds one by its id.
import { AcpRequest } from '#shared/contracts/acp-session.ts';
import { EXPIRES_AT } from '#shared/contracts/storage.ts';
import type { Turns } from '#shared/ports/sessions.ts';
import { belowKey, queryItems } from './dynamo-query.ts';
import { bodyOf, expiryOf, parsedAs, textOf, textOrNull } from './dynamo-rows.ts';
import { REQUEST, requestPointer, SESSION_DAYS, turnPartition } from './dynamo-session-keys.ts';
import { type DynamoTable, getItem, type Item, type Key, putItem, putNew, updateItem } from './dynamo-table.ts';

type Requests = Pick<Turns, 'ask' | 'asked' | 'request' | 'sent' | 'answer'>;

/** Requests. They expire some time after their deadline, when no answer has long been a refusal. */
export const dynamoRequests = (table: DynamoTable): Requests => {
  const find = async (tenant: string, id: string): Promise<Key | undefined> => {
    const pointer = await getItem(table, requestPointer(tenant, id));
    return pointer === undefined ? undefined : requestKey(tenant, textOf(pointer, 'turn'), id);
  };
  return {
    ask: async (request) => {
      const { tenant, id, turn, deadline } = request;
      const expires = { [EXPIRES_AT]: expiryOf(deadline, SESSION_DAYS) };
      await putItem(table, { ...requestPointer(tenant, id), turn, ...expires });
      await putNew(table, { ...requestKey(tenant, turn, id), body: JSON.stringify(request), ...expires });
    },
    asked: async (tenant, turn) =>
      (await queryItems(table, belowKey(turnPartition(tenant, turn), REQUEST))).map((item) => requestOf(table, item)),
    request: async (tenant, id) => {
      const key = await find(tenant, id);
      const item = key === undefined ? undefined : await getItem(table, key);
      return item === undefined ? undefined : requestOf(table, item);
    },
    sent: async (tenant, id, { from, connection }) => {
      const key = await find(tenant, id);
      if (key === undefined) return false;
      const nobody = 'attribute_exists(#pk) AND attribute_not_exists(#sent_to)';
      const values = { connection, ...(from === null ? {} : { from }) };
      const condition = from === null ? nobody : '#sent_to = :from';
      return (await updateItem(table, key, { set: 'SET #sent_to = :connection', if: condition, values })) !== undefined;
    },
    answer: async (tenant, id, answer) => {
      const key = await find(tenant, id);
      if (key === undefined) return false;
      const stored = await updateItem(table, key, {
        set: 'SET #answer = :answer',
        if: 'attribute_exists(#pk) AND attribute_not_exists(#answer)',
        values: { answer: JSON.stringify(answer) },
      });
      return stored !== undefined;
    },
  };
};

const requestKey = (tenant: string, turn: string, id: string): Key => ({
  pk: turnPartition(tenant, turn),
  sk: REQUEST + id,
});

const requestOf = (table: DynamoTable, item: Item): AcpRequest => {
  const what = `the request ${item.sk}`;
  const answer = textOrNull(item, 'answer');
  const stored = answer === null ? null : parsedAs(table, answer, { schema: AcpRequest.shape.answer, what });
  return {
    ...bodyOf(table, item, { schema: AcpRequest, what }),
    sent_to: textOrNull(item, 'sent_to'),
    answer: stored,
  };
};
