// Walks a named path on the embedded runner, with a clock turned by hand.
import { createAsl } from '#local/asl/create-asl.ts';
import type { HistoryEvent } from '#local/asl/history-event.ts';
import { HandClock, migrated } from '#test/statemachines/asl/rig.ts';
import { machine, statesOf, tasksOf } from '#test/support/machines.ts';
import type { Json, NamedPath } from './path.ts';
import { Script, type Walked } from './script.ts';

/** What every path starts with. */
export const INPUT = { tenant: 'tenant-a', task: 'task-1' };

/** `edges`: every step from state to state, inside a Map too, as `from>to`. */
export const walkEmbedded = async (path: NamedPath): Promise<Walked & { edges: string[] }> => {
  const clock = new HandClock();
  const script = new Script(path, () => clock.now());
  const steps = [...new Set(tasksOf(path.machine).map(({ step }) => step))];
  const asl = createAsl({
    db: migrated(),
    machines: { [path.machine]: machine(path.machine) },
    functions: Object.fromEntries(steps.map((step) => [step, step])),
    invoke: async (step, payload) => {
      const { output, fault, wait } = script.next(step, payload as Json);
      if (fault !== undefined) throw Object.assign(new Error(`${fault} as scripted`), { name: fault });
      const token = String((payload as Json).token);
      if (wait === 'told') asl.succeed(token, {});
      else if (wait !== undefined && wait !== 'lapses') asl.fail(token, wait, 'as scripted');
      return output;
    },
    clock,
    random: () => 0,
  });
  const execution = { machine: path.machine, name: 'walk' };
  asl.start(execution, INPUT);
  await asl.idle();
  for (let next = clock.untilNext; next !== undefined; next = clock.untilNext) {
    clock.advance(next);
    await asl.idle();
  }
  const ended = asl.describe(execution);
  const events = asl.history(execution);
  const { status = 'LOST', error = null, output = null } = ended ?? {};
  const walked = { status, error, output: status === 'SUCCEEDED' ? output : null, states: statesIn(path, events) };
  return { ...walked, calls: script.calls, unexpected: script.unexpected, edges: edgesIn(events) };
};

function statesIn(path: NamedPath, events: readonly HistoryEvent[]): Walked['states'] {
  const outside = new Set(statesOf(path.machine).flatMap(({ name, within }) => (within === null ? [name] : [])));
  return events
    .filter(({ type, name }) => type.endsWith('StateEntered') && outside.has(String(name)))
    .map(({ name }, index, entered) => {
      const exits = events.filter((event) => event.type.endsWith('StateExited') && event.name === name);
      const before = entered.slice(0, index).filter((event) => event.name === name).length;
      return { name: String(name), output: exits[before]?.output ?? null };
    });
}

function edgesIn(events: readonly HistoryEvent[]): string[] {
  const byId = new Map(events.map((event) => [event.id, event]));
  const before = (event: HistoryEvent | undefined): string | undefined => {
    if (event === undefined || event.type.endsWith('StateExited')) return event?.name;
    return event.type.endsWith('Started') ? undefined : before(byId.get(event.previousEventId));
  };
  return events
    .filter(({ type }) => type.endsWith('StateEntered'))
    .flatMap((event) => {
      const from = before(byId.get(event.previousEventId));
      return from === undefined ? [] : [`${from}>${event.name}`];
    });
}
