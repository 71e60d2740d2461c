// The shape of the machine files we run: our subset of the Amazon States Language, JSONata only, every object strict.
// Cross-field rules (targets, variables, expressions) are in load-*.ts.
import * as z from 'zod';

/** Longest time Step Functions accepts, in seconds. */
const LONGEST = 99_999_999;
const whole = (least: number, most = LONGEST) => z.int().min(least).max(most);
const Expression = z.string().startsWith('{%').endsWith('%}');
const secondsOr = (least: number) =>
  z.union([whole(least), Expression], {
    error: `give whole seconds from ${least} to ${LONGEST} or a {% JSONata %} expression`,
  });

const Name = z.string().min(1).max(80);
const Assign = z.record(z.string(), z.unknown());
const described = { Comment: z.string().optional(), QueryLanguage: z.literal('JSONata').optional() };
const leaving = { Output: z.unknown().optional(), Assign: Assign.optional() };
const onward = { Next: Name.optional(), End: z.literal(true).optional() };

export const Retrier = z.strictObject({
  ErrorEquals: z.array(z.string().min(1)).min(1),
  IntervalSeconds: whole(1).default(1),
  MaxAttempts: whole(0).default(3),
  BackoffRate: z.number().min(1).default(2),
  MaxDelaySeconds: whole(1, 31_622_400).optional(),
  JitterStrategy: z.enum(['FULL', 'NONE']).default('NONE'),
  Comment: z.string().optional(),
});
export type Retrier = z.infer<typeof Retrier>;

export const Catcher = z.strictObject({
  ErrorEquals: z.array(z.string().min(1)).min(1),
  Next: Name,
  ...leaving,
  Comment: z.string().optional(),
});
export type Catcher = z.infer<typeof Catcher>;

const recovering = { Retry: z.array(Retrier).optional(), Catch: z.array(Catcher).optional() };

/** The two ways a Task calls a function; `true` when it then waits for the task token. */
export const RESOURCES = {
  'arn:aws:states:::lambda:invoke': false,
  'arn:aws:states:::lambda:invoke.waitForTaskToken': true,
} as const;
const Resource = z.enum(['arn:aws:states:::lambda:invoke', 'arn:aws:states:::lambda:invoke.waitForTaskToken']);

export const TaskState = z.strictObject({
  Type: z.literal('Task'),
  Resource,
  Arguments: z.strictObject({ FunctionName: z.string().min(1), Payload: z.unknown().optional() }),
  TimeoutSeconds: secondsOr(1).optional(),
  HeartbeatSeconds: secondsOr(1).optional(),
  ...described,
  ...leaving,
  ...onward,
  ...recovering,
});
export type TaskState = z.infer<typeof TaskState>;

export const ChoiceState = z.strictObject({
  Type: z.literal('Choice'),
  Choices: z
    .array(z.strictObject({ Condition: Expression, Next: Name, ...leaving, Comment: z.string().optional() }))
    .min(1),
  Default: Name.optional(),
  ...described,
  ...leaving,
});
export type ChoiceState = z.infer<typeof ChoiceState>;

/** The states inside are checked one by one by the loader. */
export const Processor = z.strictObject({
  ProcessorConfig: z.strictObject({ Mode: z.literal('INLINE') }).optional(),
  StartAt: Name,
  States: z.record(Name, z.unknown()),
  Comment: z.string().optional(),
});
export type Processor = z.infer<typeof Processor>;

export const MapState = z.strictObject({
  Type: z.literal('Map'),
  Items: z
    .union([Expression, z.array(z.unknown())], { error: 'give an array or a {% JSONata %} expression' })
    .optional(),
  ItemSelector: z.unknown().optional(),
  ItemProcessor: Processor,
  MaxConcurrency: secondsOr(0).optional(),
  ...described,
  ...leaving,
  ...onward,
  ...recovering,
});
export type MapState = z.infer<typeof MapState>;

export const WaitState = z.strictObject({
  Type: z.literal('Wait'),
  Seconds: secondsOr(0).optional(),
  Timestamp: z.union([z.iso.datetime({ offset: true }), Expression]).optional(),
  ...described,
  ...leaving,
  ...onward,
});
export type WaitState = z.infer<typeof WaitState>;

export const SucceedState = z.strictObject({
  Type: z.literal('Succeed'),
  Output: z.unknown().optional(),
  ...described,
});
export type SucceedState = z.infer<typeof SucceedState>;

export const FailState = z.strictObject({
  Type: z.literal('Fail'),
  Error: z.string().optional(),
  Cause: z.string().optional(),
  ...described,
});
export type FailState = z.infer<typeof FailState>;

export const StateShape = z.discriminatedUnion('Type', [
  TaskState,
  ChoiceState,
  MapState,
  WaitState,
  SucceedState,
  FailState,
]);
export type StateShape = z.infer<typeof StateShape>;

export const MachineShape = z.strictObject({
  Comment: z.string().optional(),
  QueryLanguage: z.literal('JSONata'),
  Version: z.literal('1.0').optional(),
  TimeoutSeconds: whole(1).optional(),
  StartAt: Name,
  States: z.record(Name, z.unknown()),
});
export type MachineShape = z.infer<typeof MachineShape>;
