// Logs of functions: how often they ran, from what Lambda itself writes there, and what they say. CloudWatch Logs is asked by hand: nothing of the
// product needs its client.
import * as z from 'zod';
import { ENDPOINT } from './endpoint.ts';
import { askSigned } from './signed.ts';

const Groups = z.object({
  logGroups: z.array(z.object({ logGroupName: z.string() })),
  nextToken: z.string().optional(),
});
const Events = z.object({ events: z.array(z.object({ message: z.string() })), nextToken: z.string().optional() });

/** Invocations by function, of those whose log group begins so; those that begin while it is asked may be missing. */
export const invocationsOf = async (prefix: string): Promise<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(await linesOf(prefix, '"START RequestId"')).map(([name, { length }]) => [name, length]),
  );

/** Lines that match a filter pattern of CloudWatch, by function. */
export const linesOf = async (logGroupNamePrefix: string, filterPattern: string): Promise<Record<string, string[]>> => {
  const lines: Record<string, string[]> = {};
  for await (const { logGroups } of pages('DescribeLogGroups', { logGroupNamePrefix }, Groups))
    for (const { logGroupName } of logGroups)
      lines[logGroupName.slice(logGroupNamePrefix.length)] = await linesIn(logGroupName, filterPattern);
  return lines;
};

async function linesIn(logGroupName: string, filterPattern: string): Promise<string[]> {
  const lines: string[] = [];
  for await (const { events } of pages('FilterLogEvents', { logGroupName, filterPattern }, Events))
    lines.push(...events.map(({ message }) => message));
  return lines;
}

async function* pages<T extends { nextToken?: string | undefined }>(
  action: string,
  asked: object,
  schema: z.ZodType<T>,
): AsyncGenerator<T> {
  let nextToken: string | undefined;
  do {
    const page = schema.parse(await ask(action, { ...asked, ...(nextToken === undefined ? {} : { nextToken }) }));
    yield page;
    nextToken = page.nextToken;
  } while (nextToken !== undefined);
}

async function ask(action: string, asked: object): Promise<unknown> {
  const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `Logs_20140328.${action}` };
  return askSigned('logs', { url: `${ENDPOINT}/`, body: JSON.stringify(asked), headers });
}
