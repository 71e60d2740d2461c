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
  const hook: Hook = async (call) => {
    if (isDark) return never;
    if (!WRITES.has(call.name)) return call.run();
    writes += 1;
    const isIt = writes === n;
    if (isIt && when === 'before') return goDark(`before ${call.name}`);
    const result = await call.run();
    if (isIt) return goDark(`after ${call.name}`);
    return isDark ? never : result;
  };
  return { hook, cut, writes: () => writes };
};

/** Ends a house the way a death does: nothing is waited for, and nothing more is written. */
export const killHouse = async (house: ChaosHouse): Promise<void> => {
  void house.storage.bus.stop();
  await house.asl.close();
  house.storage.db.close();
};
