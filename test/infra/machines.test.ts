// Machines and register name the same functions, every name is bound, and a function ends before the state that calls it (aws.md: CDK checks none of this).
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { MACHINES } from '#shared/contracts/machines.ts';
import { STEPS } from '#shared/contracts/steps.ts';
import { propertiesOf, templatesOf } from '#test/support/synth.ts';
import { invocationsIn, namesIn, timeoutOf } from '../../infra/machine-files.ts';

const { app } = templatesOf('dev');
const machines = Object.values(propertiesOf(app, 'AWS::StepFunctions::StateMachine'));
const functions = Object.values(propertiesOf(app, 'AWS::Lambda::Function'));

describe('machines', () => {
  test.each([...MACHINES])('every name in %s is bound to a function of the register', (name) => {
    const machine = machines.find(({ StateMachineName }) => StateMachineName === `hca-dev-${name}`);
    const bound = z.record(z.string(), z.unknown()).parse(machine?.DefinitionSubstitutions);
    expect(Object.keys(bound).sort()).toEqual(namesIn(name));
    expect(namesIn(name).filter((called) => !(called in STEPS))).toEqual([]);
  });

  test('every step that a machine calls is called, and by the bus or a rule all others', () => {
    const called = new Set(MACHINES.flatMap(namesIn));
    expect(
      Object.keys(STEPS)
        .filter((name) => !called.has(name))
        .sort(),
    ).toEqual(['answer', 'learn', 'route', 'sweep']);
  });

  test('they are traced and logged, without what executions carry', () => {
    for (const machine of machines)
      expect(machine).toMatchObject({
        TracingConfiguration: { Enabled: true },
        LoggingConfiguration: { Level: 'ALL', IncludeExecutionData: false },
      });
  });

  test('no function runs longer than the shortest state that calls it', () => {
    for (const { calls, seconds } of MACHINES.flatMap(invocationsIn)) {
      const timeout = Number(functions.find(({ FunctionName }) => FunctionName === `hca-dev-${calls}`)?.Timeout);
      expect(timeout).toBe(timeoutOf(calls));
      if (seconds !== null) expect(timeout, calls).toBeLessThanOrEqual(seconds);
    }
  });
});
