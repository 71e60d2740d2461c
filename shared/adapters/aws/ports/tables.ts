// The tables of a function: one client for all of them. How often it tries is the function's: once below a machine's Retry, more often at a door.
import type { TableName } from '#shared/contracts/storage.ts';
import { type DynamoTable, dynamoClient } from '../dynamo-table.ts';
import { table, type Variables } from './environment.ts';

/** @throws HcaFault HcaBadInput naming the variable of the table */
export const tableOf = (variables: Variables, name: TableName): DynamoTable => ({
  client: clientOf(variables),
  name: table(variables, name),
});

const clients = new Map<string, DynamoTable['client']>();

/** A client keeps no state of a request, so all that a process handles at once share it. */
const clientOf = ({ AWS_MAX_ATTEMPTS = '1' }: Variables): DynamoTable['client'] => {
  const known = clients.get(AWS_MAX_ATTEMPTS) ?? dynamoClient({ maxAttempts: Number(AWS_MAX_ATTEMPTS) });
  clients.set(AWS_MAX_ATTEMPTS, known);
  return known;
};
