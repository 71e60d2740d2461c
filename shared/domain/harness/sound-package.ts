// A harness package as it comes from a store or a wire: checked against its contract, and whether it holds together.
import { HcaFault } from '#shared/contracts/errors.ts';
import { HarnessPackage } from '#shared/contracts/profile.ts';
import { packageFaults } from './check-package.ts';
import { clearIssue } from './clear-issue.ts';

/** The package. @throws HcaFault HcaBadInput naming the field */
export const soundPackage = (name: string, value: unknown): HarnessPackage => {
  const harness = HarnessPackage.safeParse(value);
  if (!harness.success) {
    const { path, message } = clearIssue(harness.error.issues[0]);
    throw unsound(name, path.join('.'), message);
  }
  if (harness.data.name !== name) throw unsound(name, 'name', `it must be "${name}"`);
  const [fault] = packageFaults(harness.data);
  if (fault !== undefined) throw unsound(name, fault.field, fault.message);
  return harness.data;
};

const unsound = (name: string, field: string, message: string): HcaFault =>
  new HcaFault('HcaBadInput', {
    message: `harness ${name}: ${field}: ${message}`,
    field,
    remedy: `correct the package ${name} and put it again; hca harness check <folder> says which file it is`,
  });
