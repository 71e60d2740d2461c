// A sandbox task as ECS shows it: its state, and what we noted in its tags.
import type { Task } from '@aws-sdk/client-ecs';

/**
 * `name`: by which it is woken. `session`: the tag of the session that it works for, null for one of the pool. `address`: null while it starts.
 * `broken`: it ended by itself. `created` and `silent`, since when it does not answer: ms, null when not known or not so.
 * `released`: its session has ended, and may be opened again.
 */
export interface SandboxTask {
  arn: string;
  definition: string;
  name: string;
  session: string | null;
  created: number | null;
  silent: number | null;
  released: boolean;
  broken: boolean;
  network: boolean;
  running: boolean;
  stopped: string | null;
  address: string | null;
}

/** What is noted on a task: which session's it is, the network it is in, its name, since when (ms) it does not answer, whether its session has ended. */
export const TAGS = {
  session: 'hca:session',
  network: 'hca:network',
  name: 'hca:name',
  silent: 'hca:silent-since',
  released: 'hca:released',
} as const;

export function viewOf(task: Task): SandboxTask {
  const tags = new Map(task.tags?.map(({ key, value }) => [key, value ?? '']));
  const { taskArn: arn = '', taskDefinitionArn: definition = '', lastStatus } = task;
  return {
    arn,
    definition,
    name: tags.get(TAGS.name) ?? '',
    session: tags.get(TAGS.session) ?? null,
    network: tags.get(TAGS.network) === 'open',
    silent: Number(tags.get(TAGS.silent)) || null,
    released: tags.get(TAGS.released) === 'yes',
    created: task.createdAt?.getTime() ?? null,
    running: lastStatus === 'RUNNING' && !isEnding(task),
    stopped: isEnding(task) ? (task.stoppedReason ?? 'stopped') : null,
    broken: BROKEN.includes(task.stopCode ?? ''),
    address: addressOf(task),
  };
}

const isEnding = ({ lastStatus = '', desiredStatus }: Task): boolean =>
  desiredStatus === 'STOPPED' || ['DEACTIVATING', 'STOPPING', 'DEPROVISIONING', 'STOPPED'].includes(lastStatus);

/** Any other end was asked for: by us, by Fargate's upkeep. */
const BROKEN: readonly string[] = ['TaskFailedToStart', 'EssentialContainerExited'];

const addressOf = ({ attachments = [] }: Task): string | null => {
  const details = attachments.flatMap((attachment) => attachment.details ?? []);
  return details.find(({ name }) => name === 'privateIPv4Address')?.value ?? null;
};
