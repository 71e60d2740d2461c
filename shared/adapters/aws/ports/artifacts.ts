// Artifacts in the bucket.
import type { Artifacts } from '#shared/ports/artifacts.ts';
import { s3Artifacts } from '../s3-artifacts.ts';
import { bytesOf } from './bytes.ts';
import { clock } from './clock.ts';
import type { Build } from './environment.ts';

export const artifacts: Build<Artifacts> = (variables) =>
  s3Artifacts({ objects: bytesOf(variables), clock: clock(variables) });
