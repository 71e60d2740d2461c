// Lambda's own API, as much of it as these suites need. An emulator takes any signature there, so none is made.
import * as z from 'zod';

const SIGNED =
  'AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/lambda/aws4_request, SignedHeaders=host, Signature=0';

const Configuration = z.looseObject({
  LastUpdateStatus: z.string().optional(),
  Environment: z.object({ Variables: z.record(z.string(), z.string()) }),
});

type Variables = Readonly<Record<string, string>>;

const ask = async (method: string, path: string, body?: unknown): Promise<unknown> => {
  const answer = await fetch(`${process.env.HCA_TEST_ENDPOINT}/2015-03-31/functions/${path}`, {
    method,
    headers: { authorization: SIGNED, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
};

/** Calls a function and waits for its answer. */
export const invoke = (name: string, payload: unknown): Promise<unknown> => ask('POST', `${name}/invocations`, payload);

export const variablesOf = async (name: string): Promise<Variables> =>
  Configuration.parse(await ask('GET', `${name}/configuration`)).Environment.Variables;

/** Gives a function other variables; answers with what puts back those it had. */
export const setVariables = async (
  name: string,
  change: (had: Variables) => Variables,
): Promise<() => Promise<void>> => {
  const had = await variablesOf(name);
  const give = async (Variables: Variables): Promise<void> => {
    await ask('PUT', `${name}/configuration`, { Environment: { Variables } });
  };
  await give(change(had));
  return () => give(had);
};
