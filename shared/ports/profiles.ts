// Port: specialist harness packages, the plain data under harnesses/ (requirements section 6).
import type { HarnessPackage } from '#shared/contracts/profile.ts';

export interface Profiles {
  /** Names of the packages that can be loaded, sorted. */
  names(): Promise<string[]>;
  /** Every package, sorted by name. @throws HcaFault HcaBadInput like `load`. */
  all(): Promise<HarnessPackage[]>;
  /** One package, validated. @throws HcaFault HcaNotFound for an unknown name, HcaBadInput naming file and field of one that is invalid. */
  load(name: string): Promise<HarnessPackage>;
}
