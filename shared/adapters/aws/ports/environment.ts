// The variables by which a function finds what it uses; the stack sets them from the same names (shared/contracts/storage.ts).
import { HcaFault } from '#shared/contracts/errors.ts';
import { type TableName, VARIABLES } from '#shared/contracts/storage.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

/** Builds a port from the environment of its function; called once, when the function starts. */
export type Build<P> = (variables: Variables) => P;

/** @throws HcaFault HcaBadInput naming the variable that is missing or empty */
export const variable = (variables: Variables, name: string): string => {
  const value = variables[name];
  if (value !== undefined && value !== '') return value;
  throw new HcaFault('HcaBadInput', {
    message: `the environment variable ${name} is not set`,
    field: name,
    remedy: 'deploy this function again: the stack sets its variables from the register',
  });
};

/** Name of a table. */
export const table = (variables: Variables, name: TableName): string => variable(variables, VARIABLES.table(name));
