// Secrets that people name, each tenant's below its own name, so that nobody can name another's. Their client is loaded when one is named.
import { VARIABLES } from '#shared/contracts/storage.ts';
import type { Secrets } from '#shared/ports/secrets.ts';
import { type Build, variable } from './environment.ts';
import { tenantNow } from './tenant.ts';

export const secrets: Build<Secrets> = (variables) => {
  const prefix = variable(variables, VARIABLES.secrets);
  let loaded: Promise<Secrets> | undefined;
  return {
    read: async (name) => {
      loaded ??= import('./secret-texts.ts').then(({ secretTexts }) => secretTexts(variables));
      return (await loaded).read(`${prefix}${tenantNow()}/${name}`);
    },
  };
};
