// The deployed house as its user has it: the command with --endpoint and keys of AWS. A harness package and a holarchy are changed while it runs, the next
// task goes by them, and its trace is one from the root to the sandbox.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DescribeExecutionCommand, SFNClient } from '@aws-sdk/client-sfn';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Trace, type TraceNode } from '#shared/contracts/acp-trace.ts';
import { RATES } from '#shared/domain/rate-card.ts';
import { emptyStack, stackOf } from '#test/conformance/hosts/stack.ts';
import { makePlace, type Place, type Ran } from '#test/support/command.ts';
import { ENDPOINT } from './endpoint.ts';
import { linesOf } from './logs.ts';
import { askSigned } from './signed.ts';
import { openTap, type Tap } from './tap.ts';
import { FAMILY, GOAL, writeTracer } from './tracer.ts';

/** How long a process goes by the packages it has read, and what a task takes on a loaded machine. */
const MINUTE = { timeout: 150_000, interval: 2_000 };
const REFUSED = 2;

const tracer = {
  id: 'tracer',
  role: 'leaf',
  parent: 'engineering',
  harness: 'tracer',
  families: [FAMILY],
  tools: ['shell.run'],
};

describe.runIf(process.env.HCA_TEST_STACKS !== undefined)('the deployed house, by its command', () => {
  let place: Place;
  let tap: Tap;
  let endpoint: string;
  const hca = (...args: string[]): Promise<Ran> => place.hca([...args, '--endpoint', endpoint]);
  const file = (name: string, holons: object[]): string => {
    const shown = JSON.parse(readFileSync(path.join(place.top, 'shown.json'), 'utf8'));
    const text = JSON.stringify({ ...shown, holons: [...shown.holons, ...holons] });
    writeFileSync(path.join(place.top, name), text);
    return name;
  };

  beforeAll(async () => {
    const stack = stackOf(process.env);
    await emptyStack(stack);
    place = makePlace();
    tap = await openTap();
    endpoint = stack.url;
    mkdirSync(path.join(place.top, 'work'));
    expect(await hca('login', '--socket', stack.socket, '--aws')).toMatchObject({ exit: 0 });
    writeFileSync(path.join(place.top, 'shown.json'), (await hca('holarchy', 'show')).out);
  });
  afterAll(async () => {
    await tap.close();
    await place.close();
  });

  it('refuses a holarchy that is wrong as a whole, and says where', async () => {
    const orphan = await hca(
      'holarchy',
      'apply',
      file('wrong.json', [{ ...tracer, harness: 'code-fix', parent: 'nobody' }]),
    );
    expect(orphan).toMatchObject({ exit: REFUSED, err: expect.stringContaining('nobody') });
    const unknown = await hca('holarchy', 'diff', file('wrong.json', [tracer]));
    expect(unknown).toMatchObject({ exit: REFUSED, err: expect.stringContaining('tracer') });
    expect(await hca('holarchy', 'diff', 'shown.json')).toMatchObject({ exit: 0, out: 'It would change nothing.\n' });
  });

  it('takes a harness package once, and no other content as the same version', async () => {
    const folder = await writeTracer(place.top);
    expect((await hca('harness', 'put', folder)).out).toMatch(
      /tracer is new here, version 1\n.*tracer is in force\.\n$/s,
    );
    expect((await hca('harness', 'put', folder)).out).toContain('in force already, nothing was changed');
    await writeTracer(place.top, 'something else');
    expect(await hca('harness', 'put', folder)).toMatchObject({
      exit: REFUSED,
      err: expect.stringContaining('version'),
    });
    expect((await hca('harness', 'list')).out).toMatch(/tracer +version 1 +put here +1 family +used by nobody/);
  });

  it('shows what a holarchy would change, and changes it once', async () => {
    const mine = file('mine.json', [tracer]);
    expect(await hca('holarchy', 'diff', mine)).toMatchObject({
      exit: 1,
      out: expect.stringContaining('+ holon tracer'),
    });
    expect(await hca('holarchy', 'apply', mine)).toMatchObject({
      exit: 0,
      out: expect.stringMatching(/below root: in force\n$/),
    });
    expect(await hca('holarchy', 'diff', mine)).toMatchObject({ exit: 0, out: 'It would change nothing.\n' });
    expect((await hca('holarchy', 'apply', mine)).out).toContain('in force already, nothing was changed');
  });

  it('lets nobody change them whose token does not say so', async () => {
    const said = await asReader('_hca/harness/remove', { name: 'tracer' });
    expect(said).toContain('HcaDenied');
    expect(await asReader('_hca/holarchy/apply', { file: { version: 1, holons: [] }, force: true })).toContain(
      'HcaDenied',
    );
    expect(await asReader('_hca/harness/list', {})).toContain('tracer');
  });

  it('does the next task by both, in one trace from the root to the sandbox, each execution with its place in the console', {
    timeout: 400_000,
  }, async () => {
    const accepted = async () => expect(await hca('run', GOAL, '--workspace', 'work')).toMatchObject({ exit: 0 });
    await vi.waitFor(accepted, MINUTE);
    const trace = Trace.parse(JSON.parse((await hca('trace', '--json')).out));
    const nodes = nodesOf(trace.tree);
    expect(nodes.map(({ kind, holon }) => `${kind} ${holon}`)).toEqual([
      ...['task root', 'task engineering', 'task tracer'],
      ...Array.from({ length: 3 }, () => 'review evaluator'),
    ]);
    for (const node of nodes) await isInConsole(node);
    expect(trace.transitions).toBe(
      nodes.flatMap(({ executions }) => executions).reduce((sum, one) => sum + one.transitions, 0),
    );
    expect(trace.usd_micros.transitions).toBe(Math.round(trace.transitions * RATES.transitions));
    expect((await hca('diff')).out).toContain(`+${trace.trace_id}`);
    const said = (await tap.heard()).filter(({ root_task }) => root_task === trace.task);
    expect(new Set(said.map(({ traceparent }) => traceparent.slice(3, 35)))).toEqual(new Set([trace.trace_id]));
    await isLogged(trace);
    const { out } = await hca('trace');
    expect(out).toContain(`Trace ${trace.trace_id}  ${trace.transitions} transitions · $0.000`);
    for (const { executions } of nodes) expect(out).toContain(`${executions[0]!.name}  SUCCEEDED`);
  });
});

/** As API Gateway calls the door for somebody whose token says `read`. */
async function asReader(method: string, params: object): Promise<string> {
  const authorizer = {
    lambda: { tenant: 'main', subject: 'reader', scopes: 'read', expires_at: String(Date.now() + 60_000) },
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const event = {
    rawPath: '/rpc',
    headers: { 'content-type': 'application/json' },
    body,
    requestContext: { http: { method: 'POST' }, authorizer },
  };
  const url = `${ENDPOINT}/2015-03-31/functions/hca-dev-acp/invocations`;
  return JSON.stringify(await askSigned('lambda', { url, body: JSON.stringify(event) }));
}

/** The root first, then its tasks, then who judged them. */
const nodesOf = (tree: TraceNode): TraceNode[] => {
  const all = (node: TraceNode): TraceNode[] => [node, ...node.children.flatMap(all)];
  return all(tree).toSorted((one, other) => Number(one.kind === 'review') - Number(other.kind === 'review'));
};

/** Each link leads to an execution that is there, that is named by its record, and that took as long as it says. */
async function isInConsole({ record, executions: [execution] }: TraceNode): Promise<void> {
  const { link, name, started_at, ended_at, states } = execution!;
  const [, arn = ''] =
    /^https:\/\/us-east-1\.console\.aws\.amazon\.com\/states\/home\?region=us-east-1#\/v2\/executions\/details\/(.+)$/.exec(
      link!,
    )!;
  const executionArn = decodeURIComponent(arn);
  const there = await new SFNClient({}).send(new DescribeExecutionCommand({ executionArn }));
  expect(there).toMatchObject({
    name,
    status: 'SUCCEEDED',
    input: JSON.stringify({ tenant: 'main', task: record }),
  });
  expect(name).toBe(`${record}-1`);
  expect([there.startDate!.getTime(), there.stopDate!.getTime()]).toEqual([started_at, ended_at]);
  expect(states.every(({ left_at, error }) => left_at !== null && error === null)).toBe(true);
  expect(states.filter(({ attempts }) => attempts > 0).length).toBeGreaterThan(0);
}

/** Each function that had to do with it says its trace. */
async function isLogged({ task, trace_id }: Trace): Promise<void> {
  const lines = await linesOf('/aws/lambda/hca-dev-', `"${task}"`);
  for (const step of ['answer', 'route', 'plan', 'delegate', 'work', 'review', 'judge', 'accept', 'compound', 'learn'])
    expect(lines[step], step).not.toHaveLength(0);
  expect(
    Object.values(lines)
      .flat()
      .filter((line) => !line.includes(`"trace":"${trace_id}"`)),
  ).toEqual([]);
}
