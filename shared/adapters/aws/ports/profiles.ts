// Harness packages in their table.
import type { Profiles } from '#shared/ports/profiles.ts';
import { dynamoProfiles } from '../dynamo-profiles.ts';
import { clock } from './clock.ts';
import type { Build } from './environment.ts';
import { tableOf } from './tables.ts';

export const profiles: Build<Profiles> = (variables) =>
  dynamoProfiles(tableOf(variables, 'profiles'), clock(variables));
