// Stepping between a step and its ports: every call passes a hook, which may watch it, delay it, refuse it, or let the power fail.
import type { Ports } from '#shared/ports/index.ts';

/** One call of a port. `run` does it, with the arguments as a hook left them. */
export interface PortCall {
  name: string;
  args: unknown[];
  run(): Promise<unknown>;
}

export type Hook = (call: PortCall) => Promise<unknown>;

/** Calls that change what is stored or what runs. */
export const WRITES: ReadonlySet<string> = new Set([
  'tasks.save',
  'tasks.put',
  'waits.open',
  'waits.token',
  'waits.agree',
  'waits.outcome',
  'waits.end',
  'marks.set',
  'lessons.put',
  'lessons.claim',
  'artifacts.put',
  'ledger.open',
  'ledger.grant',
  'ledger.spend',
  'ledger.close',
  'ledger.reserve',
  'ledger.commit',
  'ledger.settleOpen',
  'journal.append',
  'messages.publish',
  'workflows.start',
  'workflows.succeed',
  'workflows.fail',
]);

type Method = (...args: unknown[]) => Promise<unknown>;

/** The same ports, every call through the hook; the clock is left alone, it is no promise. */
export const intercepted = (ports: Ports, hook: Hook): Ports =>
  Object.fromEntries(
    Object.entries(ports).map(([port, target]) => [port, port === 'clock' ? target : portOf(port, target, hook)]),
  ) as unknown as Ports;

const portOf = (port: string, target: object, hook: Hook): object =>
  new Proxy(target, {
    get: (on, method) => {
      const found: unknown = Reflect.get(on, method);
      if (typeof found !== 'function' || typeof method !== 'string') return found;
      return (...args: unknown[]) => {
        const call: PortCall = { name: `${port}.${method}`, args, run: () => (found as Method).apply(on, call.args) };
        return hook(call);
      };
    },
  });

/** Hooks one inside the other; the first is the outermost. */
export const chain =
  (...hooks: readonly Hook[]): Hook =>
  (call) => {
    const [first, ...rest] = hooks;
    if (first === undefined) return call.run();
    const inner: PortCall = {
      ...call,
      run: () => {
        call.args = inner.args;
        return chain(...rest)(call);
      },
    };
    return first(inner);
  };
