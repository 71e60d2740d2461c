// The environment of a function: the names of exactly those things that its ports use, under the names that the adapters look for.
import type { Construct } from 'constructs';
import { accessOf } from '#shared/contracts/access.ts';
import { TABLES, type TableName, VARIABLES } from '#shared/contracts/storage.ts';
import { MACHINES } from '../machine-files.ts';
import { grantsFor, type Place } from './grants.ts';
import type { CodeName, House } from './house.ts';
import { bucketNameOf, machineArnOf } from './names.ts';

/** Variables by name. What a door adds of its own is set where the door is made. */
export const variablesFor = (scope: Construct, name: CodeName, house: House): Record<string, string> => {
  if (name === 'authorize') return issuerOf(house);
  const access = accessOf(name);
  const places = new Set(grantsFor(access).keys());
  return {
    ...Object.fromEntries(tablesIn(places).map((table) => [VARIABLES.table(table), house.tables[table].tableName])),
    ...(places.has('bucket') ? { [VARIABLES.bucket]: bucketNameOf(house.environment.name) } : {}),
    ...(places.has('bus') ? { [VARIABLES.bus]: house.bus.eventBusName } : {}),
    ...(places.has('letters') ? { [VARIABLES.letters]: house.letters.queueUrl } : {}),
    ...(places.has('machines') ? machinesOf(scope, house) : {}),
    ...('sandbox' in access ? sandboxOf(house) : {}),
  };
};

const machinesOf = (scope: Construct, { environment }: House): Record<string, string> =>
  Object.fromEntries(
    MACHINES.map((machine) => [VARIABLES.machine(machine), machineArnOf(scope, environment.name, machine)]),
  );

const tablesIn = (places: ReadonlySet<Place>): TableName[] =>
  Object.keys(TABLES)
    .filter((name): name is TableName => name in TABLES)
    .filter((name) => places.has(`table:${name}`));

const sandboxOf = ({ sandbox }: House): Record<string, string> => ({
  [VARIABLES.sandbox]: sandbox.url,
  [VARIABLES.sandboxSecret]: sandbox.secretName,
});

const issuerOf = ({ environment: { auth } }: House): Record<string, string> =>
  auth.kind === 'jwt' ? { [VARIABLES.issuer]: auth.issuer, [VARIABLES.audience]: auth.audience } : {};
