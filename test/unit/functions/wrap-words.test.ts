// What a machine is told by name as its way on is no fault: not in the log, not in a metric, not in a trace (docs/decisions/0041).
import { createSocket } from 'node:dgram';
import { afterEach, expect, test, vi } from 'vitest';
import { wrapped } from '#functions/wrap.ts';
import { HcaFault } from '#shared/contracts/errors.ts';

/** Logs and metrics go to the console of this process, where a test sees them; read when the wrapper is loaded. */
vi.hoisted(() => {
  process.env.POWERTOOLS_DEV = 'true';
  process.env.POWERTOOLS_METRICS_DISABLED = 'false';
  process.env.POWERTOOLS_METRICS_NAMESPACE = 'hca-test';
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

/** What a function that throws leaves behind: all that is printed, and the span that reaches the daemon of its trace. */
const left = async (code: 'HcaCancelled' | 'HcaMore' | 'HcaUnsettled' | 'HcaSandbox'): Promise<string> => {
  const printed: string[] = [];
  for (const method of ['log', 'info', 'warn', 'error'] as const)
    vi.spyOn(console, method).mockImplementation((...words) => void printed.push(words.join(' ')));
  const daemon = createSocket('udp4');
  const heard = new Promise<string>((resolve) => daemon.once('message', (text) => resolve(String(text))));
  await new Promise<void>((resolve) => daemon.bind(0, '127.0.0.1', resolve));
  vi.stubEnv('AWS_XRAY_DAEMON_ADDRESS', `127.0.0.1:${daemon.address().port}`);
  vi.stubEnv('_X_AMZN_TRACE_ID', 'Root=1-2-3;Parent=4;Sampled=1');
  const handler = wrapped('work', () => () => Promise.reject(new HcaFault(code, { message: 'as it goes' })));
  await expect(handler({}, { functionName: 'f', awsRequestId: 'r' } as never)).rejects.toMatchObject({ name: code });
  printed.push(await heard);
  daemon.close();
  return printed.join('').replaceAll(/\s/g, '');
};

test.each(['HcaCancelled', 'HcaMore', 'HcaUnsettled'] as const)('%s is a word', async (code) => {
  const said = await left(code);
  expect(said).toContain(`"word":"${code}"`);
  expect(said).not.toMatch(/"(Fault|Bug)":1|"fault":/);
});

test('anything else is a fault in all three', async () => {
  const said = await left('HcaSandbox');
  expect(said).toContain('"Fault":1');
  expect(said).toContain('"fault":"HcaSandbox"');
  expect(said).toContain('"fault":true');
});
