// Tasks of the agent-server image on Fargate: started, found by who they work for, tagged, stopped. One cluster, one task definition.
import {
  DescribeTasksCommand,
  type ECSClient,
  ListTasksCommand,
  type ListTasksCommandOutput,
  RunTaskCommand,
  StopTaskCommand,
  TagResourceCommand,
} from '@aws-sdk/client-ecs';
import { HcaFault } from '#shared/contracts/errors.ts';
import { SANDBOX_TASK } from '#shared/contracts/sandbox-task.ts';
import { awsCall } from './aws-call.ts';
import { type SandboxTask, TAGS, viewOf } from './fargate-task-view.ts';

/** `group` lets nothing out; `group_open` is for sessions whose policy opens the network. `tags`: for the bill, on every task. */
export interface FargatePlace {
  ecs: ECSClient;
  cluster: string;
  definition: string;
  subnets: readonly string[];
  group: string;
  group_open?: string | undefined;
  public_ip?: boolean;
  port?: number;
  tags?: Readonly<Record<string, string>>;
}

/** What a task is started for; `name`: the same again starts nothing. `wake_key`: what its server is woken with. */
export interface NewTask {
  name: string;
  wake_key: string;
  started_by: string;
  session: string | null;
  network: boolean;
}

/** Started for the pool, for whoever comes first. */
export const POOL = 'hca-warm';

/** Of one call of DescribeTasks. */
const PAGE = 100;

/** Of the agent-server of a task. */
export const urlOf = ({ port = SANDBOX_TASK.port }: FargatePlace, address: string): string =>
  `http://${address}:${port}`;

/** Tasks that are to run, of one starter or all. */
export async function listTasks(
  { ecs, cluster, definition }: FargatePlace,
  started_by?: string,
): Promise<SandboxTask[]> {
  const family = familyOf(definition);
  const asked = started_by === undefined ? { family } : { startedBy: started_by };
  const arns: string[] = [];
  for (let next: string | undefined = ''; next !== undefined; ) {
    const page = new ListTasksCommand({
      cluster,
      ...asked,
      maxResults: PAGE,
      ...(next === '' ? {} : { nextToken: next }),
    });
    const answer: ListTasksCommandOutput = await awsCall(`cluster ${cluster}`, () => ecs.send(page));
    arns.push(...(answer.taskArns ?? []));
    next = answer.nextToken;
  }
  const pages = Array.from({ length: Math.ceil(arns.length / PAGE) }, (_, at) =>
    arns.slice(at * PAGE, (at + 1) * PAGE),
  );
  return (await Promise.all(pages.map((tasks) => describeTasks({ ecs, cluster }, tasks)))).flat();
}

/** Undefined when there is no such task any more. */
export async function describeTask(place: FargatePlace, arn: string): Promise<SandboxTask | undefined> {
  return (await describeTasks(place, [arn]))[0];
}

/** @throws HcaFault HcaUnavailable when there is no room for it now */
export async function runTask(place: FargatePlace, task: NewTask): Promise<SandboxTask> {
  const { ecs, cluster } = place;
  const command = new RunTaskCommand({
    cluster,
    taskDefinition: place.definition,
    launchType: 'FARGATE',
    count: 1,
    clientToken: task.name,
    startedBy: task.started_by,
    enableECSManagedTags: true,
    tags: tagsOf({ ...place.tags, ...marksOf(task) }),
    overrides: {
      containerOverrides: [
        { name: SANDBOX_TASK.container, environment: [{ name: SANDBOX_TASK.wakeKey, value: task.wake_key }] },
      ],
    },
    networkConfiguration: { awsvpcConfiguration: networkOf(place, task) },
  });
  const { tasks = [], failures = [] } = await awsCall(`cluster ${cluster}`, () => ecs.send(command));
  if (tasks[0] !== undefined) return viewOf(tasks[0]);
  const reason = failures.map(({ reason, detail }) => [reason, detail].filter(Boolean).join(': ')).join(', ');
  const message = `Fargate has no room for a sandbox in cluster ${cluster}: ${reason}`;
  throw new HcaFault('HcaUnavailable', {
    message,
    field: 'sandbox',
    remedy: 'try again, or raise the quota of Fargate',
  });
}

const marksOf = ({ name, session, network }: NewTask): Record<string, string> => ({
  ...(session === null ? {} : { [TAGS.session]: session }),
  [TAGS.network]: network ? 'open' : 'closed',
  [TAGS.name]: name,
});

const networkOf = ({ subnets, group, group_open, public_ip = false }: FargatePlace, { network }: NewTask) => ({
  subnets: [...subnets],
  securityGroups: [network ? (group_open ?? group) : group],
  assignPublicIp: public_ip ? ('ENABLED' as const) : ('DISABLED' as const),
});

const tagsOf = (tags: Readonly<Record<string, string>>) => Object.entries(tags).map(([key, value]) => ({ key, value }));

/** Marks a task of the pool as the session's. */
export const tagTask = (place: FargatePlace, arn: string, session: string): Promise<void> =>
  mark(place, arn, { [TAGS.session]: session });

/** Notes that a task's session has ended, or is open again. */
export const markReleased = (place: FargatePlace, arn: string, released: boolean): Promise<void> =>
  mark(place, arn, { [TAGS.released]: released ? 'yes' : '' });

/** Notes since when (ms) a task does not answer; null when it does. */
export const markSilent = (place: FargatePlace, arn: string, since: number | null): Promise<void> =>
  mark(place, arn, { [TAGS.silent]: since === null ? '' : String(since) });

async function mark({ ecs, cluster }: FargatePlace, arn: string, tags: Record<string, string>): Promise<void> {
  const command = new TagResourceCommand({ resourceArn: arn, tags: tagsOf(tags) });
  await awsCall(`cluster ${cluster}`, () => ecs.send(command));
}

export async function stopTask({ ecs, cluster }: FargatePlace, arn: string, reason: string): Promise<void> {
  await awsCall(`cluster ${cluster}`, () => ecs.send(new StopTaskCommand({ cluster, task: arn, reason })));
}

async function describeTasks(
  { ecs, cluster }: Pick<FargatePlace, 'ecs' | 'cluster'>,
  tasks: string[],
): Promise<SandboxTask[]> {
  const command = new DescribeTasksCommand({ cluster, tasks, include: ['TAGS'] });
  const answer = await awsCall(`cluster ${cluster}`, () => ecs.send(command));
  return (answer.tasks ?? []).map(viewOf);
}

/** `definition` is a family, with or without a revision, or an ARN of one. */
const familyOf = (definition: string): string => (definition.split('/').at(-1) ?? '').replace(/:\d+$/, '');
