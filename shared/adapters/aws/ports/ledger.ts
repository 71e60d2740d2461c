// Ledgers in their table.
import type { Ledger } from '#shared/ports/ledger.ts';
import { dynamoLedger } from '../dynamo-ledger.ts';
import type { Build } from './environment.ts';
import { tableOf } from './tables.ts';

export const ledger: Build<Ledger> = (variables) => dynamoLedger(tableOf(variables, 'ledger'));
