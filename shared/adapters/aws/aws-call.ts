// One call of an AWS client: what goes wrong is a fault that names the resource, and the exceptions that are answers are told apart by name.
import { awsFault } from './aws-faults.ts';

/** Makes a call. @param what the resource as a person knows it, e.g. `bucket hca-dev`. */
export const awsCall = async <T>(what: string, call: () => Promise<T>): Promise<T> => {
  try {
    return await call();
  } catch (caught) {
    throw awsFault(caught, what);
  }
};

/** Whether something caught is an exception of one of these names. */
export const isNamed = (caught: unknown, ...names: readonly string[]): boolean =>
  caught instanceof Error && names.includes(caught.name);
