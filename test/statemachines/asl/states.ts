// Short ways to write states in tests.
import type { Json } from '#test/statemachines/asl/rig.ts';

export const machine = (States: Json, more: Json = {}): Json => ({
  QueryLanguage: 'JSONata',
  StartAt: Object.keys(States)[0],
  States,
  ...more,
});

/** Calls `${name}` with a payload; ends unless `more` has a Next. */
export const task = (name: string, more: Json = {}, payload: unknown = '{% $states.input %}'): Json => ({
  Type: 'Task',
  Resource: 'arn:aws:states:::lambda:invoke',
  Arguments: { FunctionName: `\${${name}}`, Payload: payload },
  ...('Next' in more ? {} : { End: true }),
  ...more,
});

/** Hands `${name}` a token and waits up to a minute. */
export const ask = (name: string, more: Json = {}): Json => ({
  ...task(name, more, { token: '{% $states.context.Task.Token %}' }),
  Resource: 'arn:aws:states:::lambda:invoke.waitForTaskToken',
  TimeoutSeconds: more.TimeoutSeconds ?? 60,
});

export const each = (States: Json, more: Json = {}): Json => ({
  Type: 'Map',
  ItemProcessor: { ProcessorConfig: { Mode: 'INLINE' }, StartAt: Object.keys(States)[0], States },
  ...('Next' in more ? {} : { End: true }),
  ...more,
});

/** A promise that the test settles. */
export function gate<T = unknown>(): { promise: Promise<T>; open: (value: T) => void; fail: (error: Error) => void } {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  return { promise, open: resolve, fail: reject };
}

/** An error with an ASL error name. */
export function named(name: string, message = name): Error {
  return Object.assign(new Error(message), { name });
}
