// Port: specialist harness packages, plain data (requirements section 6): those that come with hca, under harnesses/, and those that were put into
// the house. Of two with one name the one that was put is in force. They are the house's, the same for every tenant.
import type { HarnessPackage } from '#shared/contracts/profile.ts';

export interface ProfilesRead {
  /** Names of the packages in force, sorted. */
  names(): Promise<string[]>;
  /** Every package in force, sorted by name. @throws HcaFault HcaBadInput like `load`. */
  all(): Promise<HarnessPackage[]>;
  /** One package, validated. @throws HcaFault HcaNotFound for an unknown name, HcaBadInput naming place and field of one that is invalid. */
  load(name: string): Promise<HarnessPackage>;
}

export interface Profiles extends ProfilesRead {
  /** Those that come with hca, in force or not, sorted by name. */
  shipped(): Promise<HarnessPackage[]>;
  /** Those that were put, as they are stored now, sorted by name. */
  own(): Promise<HarnessPackage[]>;
  /**
   * Puts a package in force. @throws HcaFault HcaBadInput naming the field of one that is invalid, HcaConflict when one of its name with this
   * version or a later one was put before it
   */
  put(harness: HarnessPackage): Promise<void>;
  /** Takes back a package that was put, damaged or not; false when there is none of this name. */
  remove(name: string): Promise<boolean>;
}
