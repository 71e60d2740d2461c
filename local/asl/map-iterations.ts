// The iterations of a Map while they run: a pool of scopes that share one cancel.
import type { Settled } from '#local/asl/call.ts';
import { Cancel, firstOf, HALTED, type Halted } from '#local/asl/cancel.ts';
import { AslFault } from '#local/asl/errors.ts';
import type { MapNode } from '#local/asl/nodes.ts';
import { sealed } from '#local/asl/payload.ts';
import type { Ending, Scope, Visit } from '#local/asl/world.ts';

/** What a Map iterates over: the items, the input of each iteration, and how many may run at once. */
export interface MapPlan {
  readonly items: readonly unknown[];
  readonly inputs: readonly unknown[];
  readonly limit: number;
}

/** Runs all iterations: the outputs in the order of the items, or the first failure. */
export function iterate(visit: Visit, node: MapNode, plan: MapPlan): Promise<Settled | Halted> {
  const { world, cancel } = visit.scope;
  return firstOf<Settled>(cancel, (settle) => {
    const pool = new Pool({ visit, node, plan }, settle);
    world.activity.leave();
    pool.fill();
    return () => {
      pool.cancel.fire();
      world.activity.enter();
    };
  });
}

interface Work {
  readonly visit: Visit;
  readonly node: MapNode;
  readonly plan: MapPlan;
}

class Pool {
  readonly cancel = new Cancel();
  readonly #work: Work;
  readonly #settle: (settled: Settled) => void;
  readonly #outputs: unknown[];
  #started = 0;
  #done = 0;

  constructor(work: Work, settle: (settled: Settled) => void) {
    this.#work = work;
    this.#settle = settle;
    this.#outputs = new Array<unknown>(work.plan.items.length);
  }

  /** Starts iterations up to the limit; settles when none is left. */
  fill(): void {
    const failure = this.#started === 0 ? this.#failedBefore() : undefined;
    if (failure !== undefined) {
      this.#settle({ ok: false, fault: failure });
      return;
    }
    const { items, limit } = this.#work.plan;
    if (this.#done === items.length) this.#settle({ ok: true, value: this.#outputs });
    while (!this.cancel.fired && this.#started < items.length && this.#started - this.#done < limit) {
      void this.#run(this.#started);
      this.#started += 1;
    }
  }

  /** After a restart: an iteration that had failed fails the Map before any other is started again. */
  #failedBefore(): AslFault | undefined {
    const { restored } = this.#work.visit.scope.run;
    if (restored === undefined) return undefined;
    for (const index of this.#work.plan.items.keys()) {
      const last = restored.get(this.#path(index))?.last;
      if (last?.next === null && last.failure !== null) return new AslFault(last.failure.Error, last.failure.Cause);
    }
    return undefined;
  }

  #path(index: number): string {
    const { scope, number, attempt } = this.#work.visit;
    return `${scope.path}/${number}.${attempt}.${index}`;
  }

  async #run(index: number): Promise<void> {
    const { world } = this.#work.visit.scope;
    world.activity.enter();
    try {
      this.#ended(index, await world.runScope(this.#scope(index)));
    } catch (thrown) {
      this.#settle({ ok: false, fault: thrown instanceof Error ? thrown : new Error(String(thrown)) });
    } finally {
      world.activity.leave();
    }
  }

  #ended(index: number, ending: Ending): void {
    if (ending === HALTED) return;
    if ('error' in ending) {
      this.#settle({ ok: false, fault: new AslFault(ending.error.Error, ending.error.Cause) });
      return;
    }
    this.#outputs[index] = ending.output.value;
    this.#done += 1;
    this.fill();
  }

  #scope(index: number): Scope {
    const { visit, node, plan } = this.#work;
    const { world, run, vars } = visit.scope;
    return {
      world,
      run,
      graph: node.graph,
      path: this.#path(index),
      cancel: this.cancel,
      item: { Index: index, Value: plan.items[index] },
      input: sealed(plan.inputs[index], `the input of iteration ${index}`),
      vars,
      visit: 0,
      next: node.graph.startAt,
      recall: run.restored !== undefined,
    };
  }
}
