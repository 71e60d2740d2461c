// Ctrl-C while following a task: the first press detaches and says how to come back, a second one within two seconds cancels the task.

/** How long a second press counts as "cancel". */
const SECOND_MS = 2000;

export interface Interrupts {
  /** Resolves with `detached` two seconds after a single press; a second press before that calls `cancel` instead. */
  detached: Promise<'detached'>;
  stop(): void;
}

export interface InterruptActions {
  first(): void;
  cancel(): void;
}

/** Listens on the process until stopped. */
export const onInterrupt = (actions: InterruptActions): Interrupts => {
  const leave = Promise.withResolvers<'detached'>();
  let timer: NodeJS.Timeout | undefined;
  let presses = 0;
  const press = (): void => {
    presses += 1;
    if (presses === 1) {
      actions.first();
      timer = setTimeout(() => leave.resolve('detached'), SECOND_MS);
    }
    if (presses === 2) {
      clearTimeout(timer);
      actions.cancel();
    }
    // From the third press on the person wants out, whatever happens.
    if (presses > 2) leave.resolve('detached');
  };
  process.on('SIGINT', press);
  return {
    detached: leave.promise,
    stop: () => {
      clearTimeout(timer);
      process.off('SIGINT', press);
    },
  };
};
