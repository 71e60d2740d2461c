// Every named path of every machine on the endpoint's own Step Functions, compared with the embedded runner: the states walked and what
// each put out, the end and its error name, every call with its tick and retry. What differs is in expected-failures.ts, with the reason.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MACHINES, type MachineName } from '#shared/contracts/machines.ts';
import { NAMED_PATHS } from '#test/statemachines/named/all.ts';
import { walkEmbedded } from '#test/statemachines/named/embedded.ts';
import { machine, statesOf, tasksOf } from '#test/support/machines.ts';
import { ENDPOINT, stepFunctions } from './endpoint.ts';
import { FAILING_PATHS, fails } from './expected-failures.ts';
import { deployStubs, type StubStack } from './stub-stack.ts';
import { Walker } from './walk.ts';

const walker = new Walker(stepFunctions(ENDPOINT));
const stacks = new Map<MachineName, StubStack>();

/** A stack each: the three would not fit into one template. */
beforeAll(async () => {
  const respond = walker.respond.bind(walker);
  const deployed = MACHINES.map(async (name) => {
    const functions = [...new Set(tasksOf(name).map(({ step }) => step))];
    const stub = {
      endpoint: ENDPOINT,
      name: `hca-named-paths-${name}`,
      machines: { [name]: machine(name) },
      functions,
    };
    stacks.set(name, await deployStubs({ ...stub, respond }));
  });
  await Promise.all(deployed);
});

afterAll(() => Promise.all([...stacks.values()].map((stack) => stack.close())));

const INSIDE = new Set(statesOf('coordinator').flatMap(({ name, within }) => (within === null ? [] : [name])));

describe.concurrent('named paths on the own Step Functions of the endpoint', () => {
  for (const path of NAMED_PATHS) {
    const run = fails(FAILING_PATHS, path.name) ? it.fails : it;
    run(`${path.machine}: ${path.name}`, async () => {
      const { edges, ...embedded } = await walkEmbedded(path);
      const { states, ...walked } = await walker.walk(path, stacks.get(path.machine)!.machines[path.machine]!);
      expect(edges.length).toBeGreaterThanOrEqual(embedded.states.length - 1);
      expect({ ...walked, states: states.filter(({ name }) => !INSIDE.has(name)) }).toEqual(embedded);
    });
  }

  it('are all there, the failing ones too', () => {
    const names = new Set(NAMED_PATHS.map(({ name }) => name));
    expect(Object.keys(FAILING_PATHS).filter((name) => !names.has(name))).toEqual([]);
  });
});
