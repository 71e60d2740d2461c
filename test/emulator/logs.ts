// How often functions ran, from what Lambda itself writes into their logs. CloudWatch Logs is asked by hand: no other test needs its client.
import * as z from 'zod';
import { signedHeaders } from '#shared/client/sigv4.ts';
import { ENDPOINT } from './endpoint.ts';

const Groups = z.object({
  logGroups: z.array(z.object({ logGroupName: z.string() })),
  nextToken: z.string().optional(),
});
const Events = z.object({ events: z.array(z.unknown()), nextToken: z.string().optional() });

/** Invocations by function, of those whose log group begins so; those that begin while it is asked may be missing. */
export const invocationsOf = async (logGroupNamePrefix: string): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for await (const { logGroups } of pages('DescribeLogGroups', { logGroupNamePrefix }, Groups))
    for (const { logGroupName } of logGroups)
      counts[logGroupName.slice(logGroupNamePrefix.length)] = await begunIn(logGroupName);
  return counts;
};

async function begunIn(logGroupName: string): Promise<number> {
  let count = 0;
  const asked = { logGroupName, filterPattern: '"START RequestId"' };
  for await (const { events } of pages('FilterLogEvents', asked, Events)) count += events.length;
  return count;
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
  const body = JSON.stringify(asked);
  const scope = { region: 'us-east-1', service: 'logs' };
  const keys = { access_key: 'test', secret_key: 'test', session_token: null };
  const signed = await signedHeaders({ url: `${ENDPOINT}/`, body, scope, now: new Date() }, keys);
  const { host: _host, ...headers } = signed;
  const answer = await fetch(ENDPOINT, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `Logs_20140328.${action}` },
    body,
  });
  if (!answer.ok) throw new Error(`${action}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}
