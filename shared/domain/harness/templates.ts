// Text with `${param}`, `${param+1}`: how plain data speaks of what a goal says.
import type * as z from 'zod';

type Json = z.core.util.JSONType;

/** Values a text may name. */
export type Values = Readonly<Record<string, string>>;

const PLACE = /\$\{([a-z_]+)(?:\+(\d+))?\}/g;

/** The text with every known place filled; an unknown place stays, so that it is seen. */
export function filled(text: string, values: Values): string {
  return text.replaceAll(PLACE, (place, name: string, add: string | undefined) => {
    const value = values[name];
    if (value === undefined) return place;
    return add === undefined ? value : String(Number(value) + Number(add));
  });
}

/** The same for every text inside a JSON value. */
export function filledJson(value: Json, values: Values): Json {
  if (typeof value === 'string') return filled(value, values);
  if (Array.isArray(value)) return value.map((one) => filledJson(one, values));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, filledJson(one, values)]));
}
