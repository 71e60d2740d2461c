// Attributes of an item as the types they were written with: an item that somebody damaged is a fault, never a guess.
import { createHash } from 'node:crypto';
import type * as z from 'zod';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { Change, DynamoTable, Item } from './dynamo-table.ts';
import { pack, unpack } from './packing.ts';

/** Joined so that a tenant, which holds no `#`, always ends where it should. */
export const joined = (...parts: string[]): string => parts.join('#');

/** A count as text that sorts as the number does: ten digits. */
export const sortable = (n: number): string => n.toString().padStart(10, '0');

/** What stands for a text of any length in a key (DynamoDB: 1 KB for a sort key, 2 KB for a partition). */
export const fingerprint = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** When something goes that was written at `now` (ms) and is to stay `days`; seconds, as DynamoDB wants them. */
export const expiryOf = (now: number, days: number): number => Math.ceil(now / 1000) + days * 86_400;

/** An update that sets these attributes, and removes those that are undefined. */
export const setting = (attributes: Record<string, unknown>): Required<Pick<Change, 'set' | 'values'>> => {
  const given = Object.entries(attributes).filter(([, value]) => value !== undefined);
  const gone = Object.keys(attributes).filter((name) => attributes[name] === undefined);
  const set = `SET ${given.map(([name]) => `#${name} = :${name}`).join(', ')}`;
  const remove = gone.length === 0 ? '' : ` REMOVE ${gone.map((name) => `#${name}`).join(', ')}`;
  return { set: set + remove, values: Object.fromEntries(given) };
};

/** A text attribute. */
export const textOf = (item: Item, name: string): string => {
  const value = item[name];
  if (typeof value === 'string') return value;
  throw new TypeError(`attribute ${name} of ${item.sk} holds no text`);
};

/** From this many bytes on a text is packed: a write is paid for by the KB, and JSON packs to a sixth. */
const PACKED_FROM = 1024;

/** A long text as bytes, a short one as it is: what can be read in a console stays so where it costs nothing. */
export const packed = (text: string): string | Uint8Array => (text.length < PACKED_FROM ? text : pack(text));

/** The text of an attribute, packed or not. @throws HcaFault HcaCorrupt naming what it was */
export const unpacked = (table: DynamoTable, item: Item, { name, what }: { name: string; what: string }): string => {
  const value = item[name];
  if (!(value instanceof Uint8Array)) return textOf(item, name);
  try {
    return unpack(value);
  } catch (caught) {
    throw corruptFault(table, what, caught);
  }
};

/** A text attribute that may be missing. */
export const textOrNull = (item: Item, name: string): string | null => (item[name] == null ? null : textOf(item, name));

/** A whole number, 0 when it is missing. */
export const integerOf = (item: Item | undefined, name: string): number => Number(item?.[name] ?? 0);

/** How a stored text is read back: its schema, and what it is called when it is damaged. */
export interface Stored<T> {
  schema: z.ZodType<T>;
  what: string;
}

/** The `body` of an item, parsed by its contract. @throws HcaFault HcaCorrupt naming what it was. */
export const bodyOf = <T>(table: DynamoTable, item: Item, stored: Stored<T>): T =>
  parsedAs(table, unpacked(table, item, { name: 'body', what: stored.what }), stored);

/** Stored JSON, parsed by its contract. @throws HcaFault HcaCorrupt naming what it was. */
export const parsedAs = <T>(table: DynamoTable, text: string, { schema, what }: Stored<T>): T => {
  const parsed = schema.safeParse(jsonOf(table, text, what));
  if (parsed.success) return parsed.data;
  throw corruptFault(table, what, parsed.error);
};

/** Stored JSON. @throws HcaFault HcaCorrupt naming what it was. */
export const jsonOf = (table: DynamoTable, text: string, what: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (caught) {
    throw corruptFault(table, what, caught);
  }
};

/** A stored value that no longer fits its contract: names what it is and where it lies. */
export const corruptFault = (table: DynamoTable, what: string, cause?: unknown): HcaFault =>
  new HcaFault('HcaCorrupt', {
    message: `${what} in the table ${table.name} is damaged`,
    remedy: `restore the table ${table.name} to a point in time before the damage`,
    cause,
  });
