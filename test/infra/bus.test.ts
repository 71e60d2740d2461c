// One rule for each method that has a consumer, made from the register of messages; what cannot be delivered or finished is kept.
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { MESSAGES } from '#shared/contracts/messages.ts';
import { Match, propertiesOf, templatesOf } from '#test/support/synth.ts';

const { app } = templatesOf('dev');
const rules = Object.values(propertiesOf(app, 'AWS::Events::Rule'));

const Target = z.looseObject({
  Arn: z.looseObject({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) }),
  DeadLetterConfig: z.looseObject({}).optional(),
});

const calledBy = ({ Arn }: z.infer<typeof Target>): string => Arn['Fn::GetAtt'][0].replace(/Function.*/, '');

const methodsOf = (pattern: unknown): string[] =>
  z.looseObject({ 'detail-type': z.array(z.string()) }).parse(pattern)['detail-type'];

describe('the bus', () => {
  test('one rule for each method, to its consumer, with a queue for what cannot be delivered', () => {
    const ours = rules.filter(({ EventPattern }) => JSON.stringify(EventPattern ?? '').includes('"hca"'));
    const found = ours.map(({ EventPattern, Targets }) => {
      const [target, ...more] = z.array(Target).parse(Targets);
      expect(more).toEqual([]);
      expect(target?.DeadLetterConfig).toBeDefined();
      return [methodsOf(EventPattern).join(), target === undefined ? '' : calledBy(target)];
    });
    const expected = Object.entries(MESSAGES).flatMap(([method, { consumer }]) =>
      consumer === null ? [] : [[method, consumer]],
    );
    expect(found.sort()).toEqual(expected.sort());
  });

  test('it keeps an archive', () => {
    app.hasResourceProperties('AWS::Events::Archive', { RetentionDays: 7, EventPattern: { source: ['hca'] } });
  });

  test('a machine that dies is told to sweep, and so is every minute', () => {
    app.hasResourceProperties('AWS::Events::Rule', {
      EventPattern: Match.objectLike({
        source: ['aws.states'],
        detail: Match.objectLike({ status: ['FAILED', 'TIMED_OUT', 'ABORTED'] }),
      }),
    });
    app.hasResourceProperties('AWS::Events::Rule', { ScheduleExpression: 'rate(1 minute)' });
  });

  test('what a function could not finish is kept', () => {
    const kept = Object.values(propertiesOf(app, 'AWS::Lambda::EventInvokeConfig'));
    expect(
      kept
        .map(({ DestinationConfig }) => JSON.stringify(DestinationConfig))
        .filter((text) => !text.includes('Letters')),
    ).toEqual([]);
    const called = new Set(rules.flatMap(({ Targets }) => z.array(Target).parse(Targets).map(calledBy)));
    expect([...called].sort()).toEqual(['answer', 'learn', 'route', 'stream', 'sweep', 'upkeep']);
    for (const name of called)
      expect(
        kept.filter(({ FunctionName }) => JSON.stringify(FunctionName).includes(`${name}Function`)),
        name,
      ).toMatchObject([{ MaximumRetryAttempts: 2 }]);
  });

  test('an entry of the journal wakes the one that pushes', () => {
    app.hasResourceProperties('AWS::Lambda::EventSourceMapping', {
      StartingPosition: 'LATEST',
      BisectBatchOnFunctionError: true,
    });
  });
});
