// The environment of a function: the names of exactly those things that its ports use, under the names that the adapters look for.
import type { Construct } from 'constructs';
import { accessOf } from '#shared/contracts/access.ts';
import { MACHINES } from '#shared/contracts/machines.ts';
import { TABLES, type TableName, VARIABLES } from '#shared/contracts/storage.ts';
import { prefixOf } from '../prefix.ts';
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
    ...storesOf(places, house),
    ...(places.has('machines') || places.has('executions') ? machinesOf(scope, house) : {}),
    ...('connections' in access ? deploymentOf(house) : {}),
    ...('sandbox' in access || 'pool' in access ? sandboxOf(house) : {}),
  };
};

const storesOf = (
  places: ReadonlySet<Place>,
  { environment: { name }, bus, letters }: House,
): Record<string, string> => ({
  ...(places.has('bucket') ? { [VARIABLES.bucket]: bucketNameOf(name) } : {}),
  ...(places.has('bus') ? { [VARIABLES.bus]: bus.eventBusName } : {}),
  ...(places.has('letters') ? { [VARIABLES.letters]: letters.queueUrl } : {}),
});

const machinesOf = (scope: Construct, { environment }: House): Record<string, string> =>
  Object.fromEntries(
    MACHINES.map((machine) => [VARIABLES.machine(machine), machineArnOf(scope, environment.name, machine)]),
  );

/** What a door says about where it stands, and whether it asks for tokens. */
const deploymentOf = (house: House): Record<string, string> => ({
  [VARIABLES.version]: house.version,
  [VARIABLES.deployment]: prefixOf(house.environment.name),
  ...issuerOf(house),
});

/** Where tools run, and what a task that is started for them is tagged with. */
const sandboxOf = ({ environment, sandbox }: House): Record<string, string> => ({
  ...sandbox.variables,
  [VARIABLES.deployment]: prefixOf(environment.name),
});

const tablesIn = (places: ReadonlySet<Place>): TableName[] =>
  Object.keys(TABLES)
    .filter((name): name is TableName => name in TABLES)
    .filter((name) => places.has(`table:${name}`));

const issuerOf = ({ environment: { auth } }: House): Record<string, string> =>
  auth.kind === 'jwt' ? { [VARIABLES.issuer]: auth.issuer, [VARIABLES.audience]: auth.audience } : {};
