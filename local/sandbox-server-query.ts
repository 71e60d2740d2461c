// What a request to the sandbox server says in its query and its body, read as an OpenHands agent-server reads it.
import * as z from 'zod';
import { invalid } from './sandbox-server-refusal.ts';

/** @throws Refused 422 */
export const pathOf = (query: URLSearchParams): string => {
  const path = query.get('path');
  if (path !== null) return path;
  throw invalid(['query', 'path'], 'Field required', 'missing');
};

/** Null when it is not asked. @throws Refused 422 */
export const wholeNumber = (query: URLSearchParams, name: string): number | null => {
  const text = query.get(name);
  if (text === null) return null;
  if (/^[+-]?\d{1,15}$/.test(text)) return Number(text);
  throw invalid(['query', name], 'Input should be a valid integer');
};

/** A page may have up to a hundred. @throws Refused 422 */
export const limitOf = (query: URLSearchParams): number => {
  const limit = wholeNumber(query, 'limit') ?? 100;
  if (limit > 0 && limit <= 100) return limit;
  throw invalid(['query', 'limit'], 'Input should be from 1 to 100');
};

/** @throws Refused 422 */
export const oneOf = <T extends string>(query: URLSearchParams, name: string, words: readonly T[]): T | null => {
  const text = query.get(name);
  const found = words.find((word) => word === text);
  if (text === null || found !== undefined) return found ?? null;
  throw invalid(['query', name], `Input should be ${words.map((word) => `'${word}'`).join(' or ')}`);
};

export const flag = (query: URLSearchParams, name: string, usual: boolean): boolean => {
  const text = query.get(name);
  return text === null ? usual : ['true', '1', 'yes', 'on'].includes(text.toLowerCase());
};

/** An id with or without dashes, as it is kept: without. @throws Refused 422 */
export const idOf = (query: URLSearchParams, name: string): string | null => {
  const text = query.get(name)?.replaceAll('-', '').toLowerCase() ?? null;
  if (text === null || /^[0-9a-f]{32}$/.test(text)) return text;
  throw invalid(['query', name], 'Input should be a valid UUID');
};

/** Milliseconds since 1970. @throws Refused 422 */
export const timeOf = (query: URLSearchParams, name: string): number | null => {
  const text = query.get(name);
  if (text === null) return null;
  const time = Date.parse(text);
  if (!Number.isNaN(time)) return time;
  throw invalid(['query', name], 'Input should be a valid datetime');
};

/** `timeout` in seconds; a number may be written as text, and none is left. */
export const ExecuteRequest = z.object({
  command: z.string(),
  cwd: z.string().nullish(),
  timeout: z
    .union([z.int(), z.string().regex(/^[+-]?\d{1,15}$/)])
    .default(300)
    .transform(Number),
});
export type ExecuteRequest = z.infer<typeof ExecuteRequest>;

/** @throws Refused 422 naming the first field that is wrong */
export const executeOf = (body: string): ExecuteRequest => {
  const read = ExecuteRequest.safeParse(parsed(body));
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  throw invalid(['body', ...(issue?.path.map(String) ?? [])], issue?.message ?? 'not as expected');
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(['body'], 'JSON decode error', 'json_invalid');
  }
};
