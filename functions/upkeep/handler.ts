// UPKEEP as a Lambda function: each minute the pool of sandboxes is filled up, and what nobody uses any more is stopped.
import { poolUpkeep } from '#shared/adapters/aws/ports/pool.ts';
import { wrapped } from '../wrap.ts';

export const handler = wrapped('upkeep', () => {
  const upkeep = poolUpkeep(process.env);
  return async () => {
    const { stopped, started } = await upkeep();
    return { word: `stopped ${stopped}, started ${started}` };
  };
});
