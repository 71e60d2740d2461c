// Cards and policy in their table.
import type { Holons } from '#shared/ports/world.ts';
import { dynamoHolons } from '../dynamo-holons.ts';
import type { Build } from './environment.ts';
import { tableOf } from './tables.ts';

export const holons: Build<Holons> = (variables) => dynamoHolons(tableOf(variables, 'holons'));
