// What AWS documents and our machines and stacks rely on, asked of the endpoint one by one (docs/decisions/0040).
// What it is known to do otherwise is in expected-failures.ts and turns red when it passes.
import { SendTaskFailureCommand, SendTaskSuccessCommand, StopExecutionCommand } from '@aws-sdk/client-sfn';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Emulator, startEmulator } from '#scripts/emulator/running.ts';
import { ENDPOINT } from './endpoint.ts';
import { FAILING_PROBES, fails, isOwn, REPAIRED_PROBES } from './expected-failures.ts';
import { Prober } from './probes.ts';

const PROBES: Record<string, (prober: Prober) => Promise<void>> = {
  'Execution.RedriveCount is 0': async (prober) => {
    expect(await prober.run('redrives')).toBe(0);
  },
  'TimeoutSeconds is an expression': async (prober) => {
    expect(await prober.run('expression')).toBe('States.Timeout');
  },
  'a thrown error keeps its name': async (prober) => {
    expect(await prober.run('names')).toBe('HcaConflict');
  },
  'CloudFormation makes an archive of a bus': async (prober) => {
    const SourceArn = 'arn:aws:events:us-east-1:000000000000:event-bus/default';
    const archive = { Type: 'AWS::Events::Archive', Properties: { SourceArn, RetentionDays: 1 } };
    expect(await prober.provision(archive)).toBe('CREATE_COMPLETE');
  },
  'CloudFormation makes an alarm on an expression': async (prober) => {
    const metric = (Id: string, MetricName: string) => ({
      Id,
      ReturnData: false,
      MetricStat: { Metric: { Namespace: 'hca', MetricName }, Period: 60, Stat: 'Sum' },
    });
    const Properties = {
      ComparisonOperator: 'GreaterThanThreshold',
      EvaluationPeriods: 1,
      Threshold: 0,
      Metrics: [{ Id: 'sum', Expression: 'a + b' }, metric('a', 'One'), metric('b', 'Two')],
    };
    expect(await prober.provision({ Type: 'AWS::CloudWatch::Alarm', Properties })).toBe('CREATE_COMPLETE');
  },
  'a WebSocket authorized by IAM names its caller': async (prober) => {
    expect(await prober.connect()).toMatchObject({
      requestContext: { identity: { userArn: expect.stringContaining('arn:aws:iam::') } },
    });
  },
  'a function whose process ends is Runtime.ExitError': async (prober) => {
    expect(await prober.run('death')).toBe('Runtime.ExitError');
  },
  'a function that a rule calls and that fails is called again, then its event is in its queue': async (prober) => {
    const letter = await prober.letter('breaks');
    expect(prober.heard.broken).toBe(3);
    expect(letter).toMatchObject({
      requestContext: { condition: 'RetriesExhausted', approximateInvokeCount: 3 },
      requestPayload: { source: 'hca-probe' },
      responsePayload: { errorType: 'HcaConflict' },
    });
  },
  'what a rule cannot deliver is in the queue of its target': async (prober) => {
    expect(await prober.letter('missing')).toMatchObject({ source: 'hca-probe' });
  },
  'the end of an execution is told on the bus of the account': async (prober) => {
    const executionArn = await prober.start('waits');
    await prober.client.send(new StopExecutionCommand({ executionArn }));
    const told = {
      source: 'aws.states',
      detail: expect.objectContaining({ executionArn, status: 'ABORTED', input: '{}' }),
    };
    await vi.waitFor(() => expect(prober.heard.ends).toContainEqual(expect.objectContaining(told)), 10_000);
  },
  'a call that takes too long is States.Timeout': async (prober) => {
    expect(await prober.run('timeout')).toBe('States.Timeout');
  },
  'an expression that yields nothing is States.QueryEvaluationError': async (prober) => {
    expect(await prober.run('nothing')).toBe('States.QueryEvaluationError');
  },
  'Items is an expression; an iteration sees the variables outside, results keep their order': async (prober) => {
    expect(await prober.run('scopes')).toEqual(['outer1', 'outer2', 'outer3']);
  },
  'a list of one stays a list': async (prober) => {
    expect(await prober.run('single')).toEqual(['one']);
  },
  'a token resolves its state with the output given': async (prober) => {
    let execution = '';
    const taskToken = await prober.token(async () => {
      execution = await prober.start('waits');
    });
    await prober.client.send(new SendTaskSuccessCommand({ taskToken, output: '{"answer":1}' }));
    expect(await prober.end(execution)).toEqual({ answer: 1 });
  },
  'a token fails its state with the error given': async (prober) => {
    let execution = '';
    const taskToken = await prober.token(async () => {
      execution = await prober.start('waits');
    });
    await prober.client.send(new SendTaskFailureCommand({ taskToken, error: 'HcaUnsettled', cause: 'x' }));
    expect(await prober.end(execution)).toBe('FAILED HcaUnsettled');
  },
  'an execution can be stopped': async (prober) => {
    const execution = await prober.start('waits');
    await prober.client.send(new StopExecutionCommand({ executionArn: execution, error: 'ByHand', cause: 'x' }));
    expect(await prober.end(execution)).toBe('ABORTED ByHand');
  },
  'the name of a closed execution is refused': async (prober) => {
    const name = `closed-${crypto.randomUUID()}`;
    await prober.end(await prober.start('single', name));
    await expect(prober.start('single', name)).rejects.toThrow(/already exists/i);
  },
  'same name and input while open is the same execution': async (prober) => {
    const name = `open-${crypto.randomUUID()}`;
    expect(await prober.start('waits', name)).toBe(await prober.start('waits', name));
  },
  'a failed call of a waiting function fails its state': async (prober) => {
    expect(await prober.run('failing')).toBe('HcaConflict');
  },
  'a retried wait has a token of its own': async (prober) => {
    const before = prober.tokens.length;
    expect(await prober.run('tokens')).toBe('FAILED States.Timeout');
    expect(new Set(prober.tokens.slice(before)).size).toBe(2);
  },
  'an answer after the time-out is TaskTimedOut': async (prober) => {
    let execution = '';
    const taskToken = await prober.token(async () => {
      execution = await prober.start('expression');
    });
    await prober.end(execution);
    const late = prober.client.send(new SendTaskSuccessCommand({ taskToken, output: '{}' }));
    await expect(late).rejects.toMatchObject({ name: 'TaskTimedOut' });
  },
  'the expressions of one Assign see the variables as they were': async (prober) => {
    expect(await prober.run('together')).toEqual([2, 11]);
  },
  'States.ALL does not catch States.DataLimitExceeded': async (prober) => {
    expect(await prober.run('large')).toBe('FAILED States.DataLimitExceeded');
  },
  'an event of the history names the one it follows': async (prober) => {
    const execution = await prober.start('scopes');
    await prober.end(execution);
    expect((await prober.history(execution)).filter(({ previousEventId }) => previousEventId === undefined)).toEqual(
      [],
    );
  },
  'the history tells the iterations of a Map': async (prober) => {
    const execution = await prober.start('scopes');
    await prober.end(execution);
    expect((await prober.history(execution)).filter(({ type }) => type === 'MapIterationSucceeded')).toHaveLength(3);
  },
};

describe('the endpoint', () => {
  let prober: Prober;
  beforeAll(async () => {
    prober = await Prober.on(ENDPOINT);
  });
  afterAll(() => prober.close());

  for (const [name, probe] of Object.entries(PROBES)) {
    const run = fails(FAILING_PROBES, name) ? it.fails : it;
    run(name, () => probe(prober));
  }

  // How an endpoint that somebody else started runs its functions is theirs.
  it.runIf(isOwn)('runs functions with node on their PATH, and none of git, npm, Python and a shell', async () => {
    expect(await prober.run('commands')).toEqual(['node']);
  });

  it('every expected failure is a probe', () => {
    const listed = Object.keys({ ...FAILING_PROBES, ...REPAIRED_PROBES });
    expect(listed.filter((name) => !(name in PROBES))).toEqual([]);
  });
});

/** Only where the tier has started the emulator itself: another endpoint has no repairs of ours. */
const published = isOwn ? Object.keys(REPAIRED_PROBES) : [];

describe.runIf(published.length > 0)('the emulator as published, without our repairs', () => {
  let emulator: Emulator;
  let prober: Prober;
  beforeAll(async () => {
    emulator = await startEmulator({ repairs: false });
    prober = await Prober.on(emulator.endpoint);
  });
  afterAll(async () => {
    await prober.close();
    await emulator.stop();
  });

  for (const name of published) it.fails(name, () => PROBES[name]!(prober));
});
