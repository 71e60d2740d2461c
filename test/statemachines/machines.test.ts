// The machine files against the subset we allow, the register, and the rules on time-outs and retries (architecture sections 4 and 7).
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { FAULTS } from '#shared/contracts/errors.ts';
import { MACHINES, OTHER_KIND, TaskMachine } from '#shared/contracts/machines.ts';
import { MachineInput } from '#shared/contracts/step-inputs.ts';
import { STEPS, type StepName } from '#shared/contracts/steps.ts';
import { type Json, machine, statesOf, tasksOf, textsOf } from '#test/support/machines.ts';

const validate = createRequire(import.meta.url)('asl-validator') as (json: unknown) => {
  isValid: boolean;
  errors: unknown[];
};

const FIELDS: Readonly<Record<string, readonly string[]>> = {
  Task: ['Resource', 'Arguments', 'TimeoutSeconds', 'Retry', 'Catch', 'Assign', 'Output', 'Next', 'End'],
  Choice: ['Choices', 'Default'],
  Map: ['Items', 'MaxConcurrency', 'ItemSelector', 'ItemProcessor', 'Assign', 'Output', 'Catch', 'Next'],
  Wait: ['Seconds', 'Next'],
  Succeed: ['Output'],
  Fail: ['Error', 'Cause'],
};

/**
 * What AWS documents of Lambda itself as worth another try, and a function whose process ended in the middle (out of memory, killed): every step may be
 * repeated at its tick. One that ran out of time is not called again.
 */
const OF_LAMBDA = [
  'Lambda.ServiceException',
  'Lambda.AWSLambdaException',
  'Lambda.SdkClientException',
  'Lambda.ClientExecutionTimeoutException',
  'Lambda.TooManyRequestsException',
  'Lambda.Unknown',
  'Runtime.ExitError',
];

describe.each(MACHINES)('%s.asl.json', (name) => {
  it('is valid Amazon States Language', () => {
    const { isValid, errors } = validate(machine(name));
    expect(errors).toEqual([]);
    expect(isValid).toBe(true);
  });

  it('is JSONata, and uses only the states and fields that we allow', () => {
    expect(machine(name).QueryLanguage).toBe('JSONata');
    for (const { name: state, json } of statesOf(name)) {
      const allowed = FIELDS[String(json.Type)];
      expect(allowed, `${state} is a ${json.Type}`).toBeDefined();
      const others = Object.keys(json).filter((key) => !['Type', 'Comment', ...(allowed ?? [])].includes(key));
      expect(others, state).toEqual([]);
    }
  });

  it('uses no JSONata that Step Functions lacks', () => {
    const expressions = textsOf(machine(name)).filter((text) => text.startsWith('{%'));
    expect(expressions.length).toBeGreaterThan(5);
    for (const text of expressions) expect(text).not.toMatch(/\$eval|\?:|\?\?|\$uuid/);
  });

  it('names every way out', () => {
    const known = new Set(statesOf(name).map(({ name: state }) => state));
    const targets = JSON.stringify(machine(name)).matchAll(/"(?:Next|Default|StartAt)":"([^"]+)"/g);
    for (const [, target] of targets) expect(known).toContain(target);
  });

  it('pitfall 39: every Task has a time-out, a waiting one included', () => {
    for (const { name: state, json } of tasksOf(name)) expect(json.TimeoutSeconds, state).toBeDefined();
    const fixed = tasksOf(name).flatMap(({ json }) =>
      typeof json.TimeoutSeconds === 'number' ? [json.TimeoutSeconds] : [],
    );
    expect(Math.max(...fixed)).toBeLessThanOrEqual(900); // the longest a function may run
  });

  it('pitfall 21: every Task retries the retryable faults and what happens to a function from outside, and nothing else, with full jitter', () => {
    const retryable = Object.entries(FAULTS).flatMap(([code, { retryable }]) => (retryable ? [code] : []));
    for (const { name: state, json } of tasksOf(name)) {
      const retriers = (json.Retry as Json[]).filter(({ ErrorEquals }) => String(ErrorEquals) !== 'HcaMore');
      expect(retriers, state).toHaveLength(1);
      const [{ ErrorEquals, JitterStrategy, MaxAttempts, MaxDelaySeconds }] = retriers as [Json];
      expect((ErrorEquals as string[]).toSorted(), state).toEqual([...retryable, ...OF_LAMBDA].toSorted());
      expect([JitterStrategy, MaxAttempts, MaxDelaySeconds], state).toEqual(['FULL', 6, 30]);
    }
  });

  it('goes on with a step that may need another invocation, at the same tick, a second later, before any Catch sees it', () => {
    for (const { name: state, step, json } of tasksOf(name)) {
      const more = (json.Retry as Json[]).find(({ ErrorEquals }) => String(ErrorEquals) === 'HcaMore');
      const steady = { IntervalSeconds: 1, BackoffRate: 1, ErrorEquals: ['HcaMore'], MaxAttempts: expect.any(Number) };
      expect(more, state).toEqual(STEPS[step as StepName].slice_ms > 0 ? steady : undefined);
      const caught = ((json.Catch ?? []) as Json[]).flatMap(({ ErrorEquals }) => ErrorEquals as string[]);
      expect(caught, state).not.toContain('HcaMore');
    }
  });

  it('hands every step what it is recognised by, and never content', () => {
    const allowed = Object.keys(MachineInput.shape);
    for (const { name: state, payload, waits } of tasksOf(name)) {
      expect(Object.keys(payload), state).toEqual(
        expect.arrayContaining(['tenant', 'record', 'execution', 'tick', 'redrive', 'retry']),
      );
      expect(
        Object.keys(payload).filter((key) => !allowed.includes(key)),
        state,
      ).toEqual([]);
      expect('token' in payload, state).toBe(waits);
    }
  });

  it('pitfall 23: keeps only words, ids and integers of what a step returns', () => {
    const results = textsOf(machine(name)).filter((text) => text.includes('$states.result'));
    for (const text of results) expect(text).toMatch(/^\{% \$states\.result\.Payload\.(word|deadline|wave) %\}$/);
  });
});

describe('names', () => {
  const called = new Set(MACHINES.flatMap((name) => tasksOf(name).map(({ step }) => step)));
  const rows = Object.keys(STEPS) as StepName[];

  it('in the machines are rows of the register, and the other way round', () => {
    const machineRows = rows.filter((name) => STEPS[name].input === MachineInput);
    expect([...called].toSorted()).toEqual(machineRows.toSorted());
  });

  it('of waiting steps are those called with a token, and the other way round', () => {
    const waiting = new Set(
      MACHINES.flatMap((name) =>
        tasksOf(name)
          .filter(({ waits }) => waits)
          .map(({ step }) => step),
      ),
    );
    expect([...waiting].toSorted()).toEqual(rows.filter((name) => STEPS[name].waits).toSorted());
  });
});

describe.each(TaskMachine.options)('the catches of the %s machine', (kind) => {
  const top = tasksOf(kind).filter(({ within }) => within === null);
  const rules = (json: Json) => ((json.Catch ?? []) as Json[]).map((rule) => [rule.ErrorEquals, rule.Next].flat());

  it('take every step that heeds a cancel to Cancel', () => {
    for (const { name, step, json } of top)
      if (STEPS[step as StepName].heeds) expect(rules(json), name).toContainEqual(['HcaCancelled', 'Cancel']);
  });

  it('take every fault before the escalation to Escalate', () => {
    const after = ['Escalate', 'Compound', 'Finish', 'Cancel', 'Cancelled'];
    for (const { name, json } of top)
      if (!after.includes(name)) expect(rules(json), name).toContainEqual(['States.ALL', 'Escalate']);
  });

  it('raise the tick, so that no two transitions look alike, but where the same decision is asked for again', () => {
    for (const { name, json } of top) {
      const assigns = [json, ...((json.Catch ?? []) as Json[])].filter(
        (one) => 'Next' in one && one.Next !== 'Regroup' && one.Next !== 'Replan',
      );
      for (const one of assigns) expect(JSON.stringify(one.Assign ?? {}), name).toContain('"tick"');
    }
  });
});

describe('the machines of a leaf and of a coordinator', () => {
  const outside = (kind: TaskMachine) =>
    new Map(
      statesOf(kind)
        .filter(({ within }) => within === null)
        .map(({ name, json }) => [name, json]),
    );
  const [leaf, coordinator] = [outside('leaf'), outside('coordinator')];
  const shared = [...leaf.keys()].filter((name) => coordinator.has(name));

  it('have their bodies apart and everything else in common', () => {
    expect([...leaf.keys()].filter((name) => !coordinator.has(name))).toEqual(['Work']);
    const own = [...coordinator.keys()].filter((name) => !leaf.has(name));
    expect(own).toEqual(['Wave', 'Collect', 'Regroup', 'Collected', 'Resolve', 'Resolved']);
  });

  /** What a plan of the coordinator's has apart, and how the leaf's has it. */
  const APART: readonly (readonly [string, string])[] = [
    [' A coordinator goes straight on to its children.', ' A leaf goes straight on to Work.'],
    ['"expects":"coordinator"', '"expects":"leaf"'],
    ['"Next":"Wave"', '"Next":"Work"'],
    [',"wave":"{% $states.result.Payload.wave %}"', ''],
    ["= 'leaf'", "= 'coordinator'"],
  ];

  it('share states that are the same word for word; plans differ in what comes of them', () => {
    expect(shared.length).toBeGreaterThan(10);
    for (const name of shared) {
      const apart = ['Plan', 'Replan', 'Planned'].includes(name) ? APART : [];
      const text = apart.reduce(
        (json, [own, other]) => json.replace(own, other),
        JSON.stringify(coordinator.get(name)),
      );
      expect(text, name).toBe(JSON.stringify(leaf.get(name)));
    }
  });

  it('end by name when the plan is of the other kind, and sweep knows the name', () => {
    expect([leaf.get('Elsewhere')?.Error, coordinator.get('Elsewhere')?.Error]).toEqual([OTHER_KIND, OTHER_KIND]);
  });
});
