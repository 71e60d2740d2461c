// What runs for a task belongs to its trace: a command is told it in its environment.
import { expect, it } from 'vitest';
import { traceOf } from '#shared/domain/trace-context.ts';
import { toolBench } from './tool-bench.ts';

const ROOT = '01M8Q1GFRNQXSVNPXPHYCF86CT';

it('a command has the trace of its root in its environment, and one of its own where the call says so', async () => {
  const { call } = await toolBench({ a: '' });
  const told = await call('shell.run', { command: ['printenv', 'TRACEPARENT'] }, { task: `${ROOT}_10_1` });
  expect(told.result.text).toBe(`${traceOf(ROOT, 's1')}\n`);
  const own = await call('shell.run', { command: ['printenv', 'TRACEPARENT'], env: { TRACEPARENT: 'own' } });
  expect(own.result.text).toBe('own\n');
});
