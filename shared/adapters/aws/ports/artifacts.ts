// Artifacts in their table and, where they are large, the bucket.
import type { Artifacts } from '#shared/ports/artifacts.ts';
import { dynamoArtifacts } from '../dynamo-artifacts.ts';
import { bytesOf } from './bytes.ts';
import { clock } from './clock.ts';
import type { Build } from './environment.ts';
import { tableOf } from './tables.ts';

export const artifacts: Build<Artifacts> = (variables) =>
  dynamoArtifacts({ table: tableOf(variables, 'artifacts'), objects: bytesOf(variables), clock: clock(variables) });
