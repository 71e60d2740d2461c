// Whose work an invocation is, for the ports whose keys begin with the tenant though their methods do not name it: what is stored by its hash,
// dead letters. Kept for each invocation by itself, since a process may handle several at once.
import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<string>();

/** Runs work for a tenant. */
export const forTenant = <T>(tenant: string, work: () => Promise<T>): Promise<T> => current.run(tenant, work);

/** The tenant of the invocation that asks. Nothing is stored for nobody. */
export const tenantNow = (): string => {
  const tenant = current.getStore();
  if (tenant === undefined || tenant === '') throw new Error('bug: this invocation works for no tenant');
  return tenant;
};
