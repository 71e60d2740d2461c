// A power cut: at the n-th write of a port everything this process would still do is lost, and the house is opened again on the same file.

import type { ChaosHouse } from './house.ts';
import { type Hook, WRITES } from './intercept.ts';

/** `cut` resolves when the power fails; nothing that was under way ever goes on. */
export interface PowerCut {
  hook: Hook;
  cut: Promise<string>;
  writes(): number;
}

/** Before or after the n-th write reached the disk; 0 is never. */
export const powerCut = (n: number, when: 'before' | 'after'): PowerCut => {
  let writes = 0;
  let isDark = false;
  let fail: (where: string) => void = () => undefined;
  const cut = new Promise<string>((resolve) => {
    fail = resolve;
  });
  const never = new Promise<never>(() => undefined);
  const goDark = (where: string): Promise<never> => {
    isDark = true;
    fail(where);
    return never;
  };
  const write: Hook = async (call) => {
    writes += 1;
    if (writes !== n) {
      const result = await call.run();
      return isDark ? never : result;
    }
    if (when === 'after') await call.run();
    return goDark(`${when} ${call.name}`);
  };
  const hook: Hook = (call) => {
    if (isDark) return never;
    return WRITES.has(call.name) ? write(call) : call.run();
  };
  return { hook, cut, writes: () => writes };
};

/** Ends a house the way a death does: nothing is waited for, and nothing more is written. */
export const killHouse = async (house: ChaosHouse): Promise<void> => {
  void house.storage.bus.stop();
  await house.asl.close();
  house.storage.db.close();
};
