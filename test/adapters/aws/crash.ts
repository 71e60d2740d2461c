// A process that ends between two writes, as far as anybody can see; and one that goes on.
import type { Rig } from './rig.ts';

const WRITES = new Set(['Put', 'Update', 'Delete', 'BatchWrite']);

/** From the n-th write on nothing leaves the process any more. */
export const crashAt = (rig: Rig, n: number): void => {
  let writes = 0;
  rig.around = async (command, send) => {
    if (WRITES.has(command)) writes += 1;
    if (writes >= n) throw new Error('crashed');
    return send();
  };
};

export const restart = (rig: Rig): void => {
  rig.around = (_command, send) => send();
};

/** Does something right before the n-th write, as another process would. */
export const meanwhile = (rig: Rig, n: number, work: () => Promise<unknown>): void => {
  let writes = 0;
  rig.around = async (command, send) => {
    if (WRITES.has(command)) writes += 1;
    if (writes === n) {
      restart(rig);
      await work();
    }
    return send();
  };
};

/** An error as a vendor's client throws it. */
export const vendorError = (name: string, message = name, parts: object = {}): Error =>
  Object.assign(new Error(message), { name, ...parts });
