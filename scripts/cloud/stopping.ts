// A cluster goes with its stack only when nothing runs in it: every sandbox is stopped first, and waited for.
import { type ECSClient, paginateListTasks, StopTaskCommand, waitUntilTasksStopped } from '@aws-sdk/client-ecs';

/** A task has half a minute to end before it is killed, and its network interface a while to go. Seconds. */
const ENDING_S = 300;

/** DescribeTasks takes so many. */
const PAGE = 100;

/** Stops every task of a cluster; one that is not there has none. Answers how many. @throws Error when one does not end */
export const stopTasks = async (client: ECSClient, cluster: string): Promise<number> => {
  const tasks = await tasksOf(client, cluster);
  for (const task of tasks)
    await client.send(new StopTaskCommand({ cluster, task, reason: 'its environment is taken away' }));
  for (let at = 0; at < tasks.length; at += PAGE)
    await waitUntilTasksStopped({ client, maxWaitTime: ENDING_S }, { cluster, tasks: tasks.slice(at, at + PAGE) });
  return tasks.length;
};

const tasksOf = async (client: ECSClient, cluster: string): Promise<string[]> => {
  const tasks: string[] = [];
  try {
    for await (const { taskArns = [] } of paginateListTasks({ client }, { cluster })) tasks.push(...taskArns);
  } catch (error) {
    if (!(error instanceof Error && error.name === 'ClusterNotFoundException')) throw error;
  }
  return tasks;
};
