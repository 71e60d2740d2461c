// UPKEEP as a Lambda function: each minute the pool of sandboxes is filled up, and what nobody uses any more is stopped.
import { poolUpkeep } from '#shared/adapters/aws/ports/pool.ts';
import { wrapped } from '../wrap.ts';

const upkeep = poolUpkeep(process.env);

export const handler = wrapped('upkeep', async () => {
  const { stopped, started } = await upkeep();
  return { word: `stopped ${stopped}, started ${started}` };
});
