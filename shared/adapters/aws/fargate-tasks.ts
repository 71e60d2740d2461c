// Tasks of the agent-server image on Fargate: started, found by who they work for, tagged, stopped. One cluster, one task definition.
import {
  DescribeTasksCommand,
  type ECSClient,
  ListTasksCommand,
  type ListTasksCommandOutput,
  RunTaskCommand,
  StopTaskCommand,
  TagResourceCommand,
  type Task,
} from '@aws-sdk/client-ecs';
import { HcaFault } from '#shared/contracts/errors.ts';
import { awsCall } from './aws-call.ts';

/** `group` lets nothing out; `group_open` is for sessions whose policy opens the network. `tags`: for the bill, on every task. */
export interface FargatePlace {
  ecs: ECSClient;
  cluster: string;
  definition: string;
  subnets: readonly string[];
  group: string;
  group_open?: string | undefined;
  public_ip?: boolean;
  tags?: Readonly<Record<string, string>>;
}

/** `session`: the tag of the session that it works for, null for one of the pool. `address`: null while it starts. */
export interface SandboxTask {
  arn: string;
  session: string | null;
  network: boolean;
  running: boolean;
  stopped: string | null;
  address: string | null;
}

/** What a task is started for; `token`: the same again starts nothing. */
export interface NewTask {
  token: string;
  started_by: string;
  session: string | null;
  network: boolean;
}

/** Started for the pool, for whoever comes first. */
export const POOL = 'hca-warm';

const SESSION_TAG = 'hca:session';
const NETWORK_TAG = 'hca:network';

/** Of one call of DescribeTasks. */
const PAGE = 100;

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
  const { ecs, cluster, definition, subnets, group, group_open, public_ip = false, tags = {} } = place;
  const own = {
    ...(task.session === null ? {} : { [SESSION_TAG]: task.session }),
    [NETWORK_TAG]: task.network ? 'open' : 'closed',
  };
  const command = new RunTaskCommand({
    cluster,
    taskDefinition: definition,
    launchType: 'FARGATE',
    count: 1,
    clientToken: task.token,
    startedBy: task.started_by,
    enableECSManagedTags: true,
    tags: Object.entries({ ...tags, ...own }).map(([key, value]) => ({ key, value })),
    networkConfiguration: {
      awsvpcConfiguration: {
        subnets: [...subnets],
        securityGroups: [task.network ? (group_open ?? group) : group],
        assignPublicIp: public_ip ? 'ENABLED' : 'DISABLED',
      },
    },
  });
  const { tasks = [], failures = [] } = await awsCall(`cluster ${cluster}`, () => ecs.send(command));
  if (tasks[0] !== undefined) return viewOf(tasks[0]);
  const reason = failures.map((failure) => failure.reason ?? failure.detail ?? '').join(', ');
  const message = `Fargate has no room for a sandbox in cluster ${cluster}: ${reason}`;
  throw new HcaFault('HcaUnavailable', {
    message,
    field: 'sandbox',
    remedy: 'try again, or raise the quota of Fargate',
  });
}

/** Marks a task of the pool as the session's. */
export async function tagTask({ ecs, cluster }: FargatePlace, arn: string, session: string): Promise<void> {
  const command = new TagResourceCommand({ resourceArn: arn, tags: [{ key: SESSION_TAG, value: session }] });
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

function viewOf(task: Task): SandboxTask {
  const tags = new Map((task.tags ?? []).map(({ key, value }) => [key, value ?? '']));
  const details = (task.attachments ?? []).flatMap((attachment) => attachment.details ?? []);
  return {
    arn: task.taskArn ?? '',
    session: tags.get(SESSION_TAG) ?? null,
    network: tags.get(NETWORK_TAG) === 'open',
    running: task.lastStatus === 'RUNNING' && task.desiredStatus !== 'STOPPED',
    stopped: isEnding(task) ? (task.stoppedReason ?? 'stopped') : null,
    address: details.find(({ name }) => name === 'privateIPv4Address')?.value ?? null,
  };
}

const isEnding = ({ lastStatus = '', desiredStatus }: Task): boolean =>
  desiredStatus === 'STOPPED' || ['DEACTIVATING', 'STOPPING', 'DEPROVISIONING', 'STOPPED'].includes(lastStatus);
