// Cards and policy in their table; before a tenant has applied a holarchy, those that come with the code.
import { HolarchyFile } from '#shared/contracts/holon.ts';
import type { Holons } from '#shared/ports/world.ts';
import { dynamoHolons } from '../dynamo-holons.ts';
import { shippedFile } from '../shipped.ts';
import type { Build } from './environment.ts';
import { tableOf } from './tables.ts';

const first = shippedFile('holarchy.json', HolarchyFile);

export const holons: Build<Holons> = (variables) => dynamoHolons(tableOf(variables, 'holons'), first);
