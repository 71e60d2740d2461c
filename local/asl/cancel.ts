// Stopping what runs: a flag with hooks, one per execution and one per Map; firing a parent fires its children.

/** What a wait answers when its scope was stopped, and what a stopped scope ends with. */
export const HALTED: unique symbol = Symbol('halted');
export type Halted = typeof HALTED;

/** Fires once; hooks added later run at once. */
export class Cancel {
  readonly #hooks = new Set<() => void>();
  #fired = false;

  get fired(): boolean {
    return this.#fired;
  }

  /** Calls `hook` when this fires, unless the function returned is called first. */
  on(hook: () => void): () => void {
    if (this.#fired) {
      hook();
      return ignore;
    }
    this.#hooks.add(hook);
    return () => this.#hooks.delete(hook);
  }

  fire(): void {
    if (this.#fired) return;
    this.#fired = true;
    const hooks = [...this.#hooks];
    this.#hooks.clear();
    for (const hook of hooks) hook();
  }
}

/** The first of what `arm` reports and the cancel. What `arm` returns is undone once, when that is known. */
export function firstOf<T>(cancel: Cancel, arm: (settle: (value: T) => void) => () => void): Promise<T | Halted> {
  return new Promise((resolve) => {
    let settled = false;
    let undo = ignore;
    let forget = ignore;
    const settle = (value: T | Halted): void => {
      if (settled) return;
      settled = true;
      undo();
      forget();
      resolve(value);
    };
    undo = arm(settle);
    if (settled) undo();
    else forget = cancel.on(() => settle(HALTED));
  });
}

function ignore(): void {
  // Nothing to undo.
}
