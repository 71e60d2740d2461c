// A loaded machine: the states of a file with every expression compiled and every default filled in.
import type { Retrier } from '#local/asl/definition.ts';
import type { Eval } from '#local/asl/expressions.ts';

/** What happens when a state is left one way: the output, the variables set, and where to. `next` null ends the scope. */
export interface Leaving {
  readonly output: Eval | undefined;
  readonly assign: Eval | undefined;
  readonly next: string | null;
}

/** One entry of Catch. */
export interface CatchRule {
  readonly errors: readonly string[];
  readonly leaving: Leaving;
}

/** Retry and Catch, in file order. */
export interface Recovery {
  readonly retry: readonly Retrier[];
  readonly catch: readonly CatchRule[];
}

export interface TaskNode {
  readonly type: 'Task';
  readonly name: string;
  readonly functionName: string;
  /** True for `.waitForTaskToken`. */
  readonly callback: boolean;
  readonly payload: Eval;
  readonly timeout: Eval | undefined;
  readonly heartbeat: Eval | undefined;
  readonly leaving: Leaving;
  readonly recovery: Recovery;
}

export interface ChoiceNode {
  readonly type: 'Choice';
  readonly name: string;
  readonly rules: readonly { readonly condition: Eval; readonly leaving: Leaving }[];
  readonly otherwise: Leaving | undefined;
}

export interface MapNode {
  readonly type: 'Map';
  readonly name: string;
  /** Undefined: the state's input is the array. */
  readonly items: Eval | undefined;
  readonly selector: Eval | undefined;
  readonly concurrency: Eval;
  readonly graph: Graph;
  readonly leaving: Leaving;
  readonly recovery: Recovery;
}

export interface WaitNode {
  readonly type: 'Wait';
  readonly name: string;
  readonly until: { readonly unit: 'seconds' | 'timestamp'; readonly value: Eval };
  readonly leaving: Leaving;
}

export interface SucceedNode {
  readonly type: 'Succeed';
  readonly name: string;
  readonly leaving: Leaving;
}

export interface FailNode {
  readonly type: 'Fail';
  readonly name: string;
  readonly error: Eval;
  readonly cause: Eval;
}

export type Node = TaskNode | ChoiceNode | MapNode | WaitNode | SucceedNode | FailNode;

/** The states of one scope: a machine, or the processor of a Map. */
export interface Graph {
  readonly startAt: string;
  readonly states: ReadonlyMap<string, Node>;
}

export interface Machine {
  readonly name: string;
  readonly graph: Graph;
  /** The top-level TimeoutSeconds. */
  readonly timeoutSeconds: number | undefined;
}
