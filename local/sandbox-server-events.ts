// What commands of the sandbox server were started and what they wrote, as an OpenHands agent-server is asked after it: by kind, command, time and number,
// in pages.
import { Refused } from './sandbox-server-refusal.ts';

/** As the server's own schema has them: what is not there is null. */
export type BashCommand = {
  kind: 'BashCommand';
  id: string;
  timestamp: string;
  command: string;
  cwd: string | null;
  timeout: number;
};
export type BashOutput = {
  kind: 'BashOutput';
  id: string;
  timestamp: string;
  command_id: string;
  order: number;
  exit_code: number | null;
  stdout: string | null;
  stderr: string | null;
};
export type BashEventPage = { items: (BashCommand | BashOutput)[]; next_page_id: string | null };

/** A command with what it has written so far. */
export interface ServedCommand {
  event: BashCommand;
  outputs: BashOutput[];
  ended: Promise<void>;
}

/** `command` without dashes. `order` is that of the last piece that the client has; it is looked at within a page. Times in ms. */
export interface EventQuery {
  kind: 'BashCommand' | 'BashOutput' | null;
  command: string | null;
  since: number | null;
  before: number | null;
  order: number | null;
  newestFirst: boolean;
  page: string | null;
  limit: number;
}

type Event = BashCommand | BashOutput;

export const searchEvents = (commands: readonly ServedCommand[], query: EventQuery): BashEventPage => {
  const all = commands
    .flatMap(({ event, outputs }): Event[] => [event, ...outputs])
    .filter((event) => isAsked(event, query))
    .sort((a, b) => timeOf(a) - timeOf(b));
  const sorted = query.newestFirst ? all.reverse() : all;
  const start = Math.max(
    0,
    sorted.findIndex(({ id }) => id === query.page),
  );
  const end = start + query.limit;
  const items = sorted.slice(start, end).filter((event) => isNewer(event, query.order));
  return { items, next_page_id: sorted[end]?.id ?? null };
};

/** The command or piece of that id, without dashes. @throws Refused 404 */
export const eventOf = (commands: readonly ServedCommand[], id: string): Event => {
  const all = commands.flatMap(({ event, outputs }): Event[] => [event, ...outputs]);
  const found = all.find((event) => event.id === id);
  if (found === undefined) throw new Refused(404, 'Not Found');
  return found;
};

export const hasEnded = ({ outputs }: ServedCommand): boolean => typeof outputs.at(-1)?.exit_code === 'number';

const timeOf = ({ timestamp }: Event): number => Date.parse(timestamp);

/** Of one command only what it wrote is asked. */
const isAsked = (event: Event, { kind, command, since, before }: EventQuery): boolean => {
  const isKind = kind === null || event.kind === kind;
  const isOf = command === null || ('command_id' in event && event.command_id === command);
  return isKind && isOf && timeOf(event) >= (since ?? 0) && timeOf(event) < (before ?? Number.POSITIVE_INFINITY);
};

const isNewer = (event: Event, order: number | null): boolean =>
  order === null || !('order' in event) || event.order > order;
