// What an execution on Step Functions went through: its whole history, page by page, and where a person sees it.
import {
  GetExecutionHistoryCommand,
  type GetExecutionHistoryCommandInput,
  type GetExecutionHistoryCommandOutput,
  type HistoryEvent,
} from '@aws-sdk/client-sfn';
import type { ExecutionEvent } from '#shared/contracts/acp-trace.ts';
import type { History } from '#shared/ports/world.ts';
import { awsCall, isNamed } from './aws-call.ts';
import { executionArn as arnOf, linkOf } from './sfn-arns.ts';
import type { Machines } from './sfn-workflows.ts';

/** Histories on Step Functions. */
export const sfnHistory = (house: Machines): History => ({
  events: async (machine, name) => {
    const executionArn = arnOf(house.machines, { machine, name });
    const found: ExecutionEvent[] = [];
    let nextToken: string | undefined;
    do {
      const page = await pageOf(house, { executionArn, maxResults: PAGE, nextToken });
      found.push(...(page.events ?? []).map(eventOf));
      nextToken = page.nextToken;
    } while (nextToken !== undefined);
    return found;
  },
  link: (machine, name) => linkOf(arnOf(house.machines, { machine, name })),
});

/** Events a page, the most that Step Functions gives. */
const PAGE = 1000;

const pageOf = async (
  { client }: Machines,
  asked: GetExecutionHistoryCommandInput,
): Promise<Partial<Pick<GetExecutionHistoryCommandOutput, 'events' | 'nextToken'>>> => {
  try {
    return await awsCall('history', () => client.send(new GetExecutionHistoryCommand(asked)));
  } catch (caught) {
    if (isNamed(caught, 'ExecutionDoesNotExist')) return {};
    throw caught;
  }
};

/** Only entering and leaving name their state. The API leaves open whether an event names the one it follows; where it does not, it is the one before. */
const eventOf = (event: HistoryEvent): ExecutionEvent => ({
  id: event.id ?? 0,
  previous: event.previousEventId ?? (event.id ?? 1) - 1,
  type: event.type ?? '',
  at: event.timestamp?.getTime() ?? 0,
  name: (event.stateEnteredEventDetails ?? event.stateExitedEventDetails)?.name ?? null,
  error: errorOf(event),
});

const errorOf = (event: HistoryEvent): string | null =>
  (
    event.taskFailedEventDetails ??
    event.taskTimedOutEventDetails ??
    event.taskStartFailedEventDetails ??
    event.taskSubmitFailedEventDetails ??
    event.evaluationFailedEventDetails ??
    event.executionFailedEventDetails
  )?.error ?? null;
