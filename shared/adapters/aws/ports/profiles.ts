// Harness packages: those that come with the code, and those that were put into their table.
import * as z from 'zod';
import { HarnessPackage } from '#shared/contracts/profile.ts';
import type { Profiles } from '#shared/ports/profiles.ts';
import { dynamoProfiles } from '../dynamo-profiles.ts';
import { shippedFile } from '../shipped.ts';
import { clock } from './clock.ts';
import type { Build } from './environment.ts';
import { tableOf } from './tables.ts';

const shipped = shippedFile('harnesses.json', z.array(HarnessPackage));

export const profiles: Build<Profiles> = (variables) =>
  dynamoProfiles(tableOf(variables, 'profiles'), clock(variables), shipped);
