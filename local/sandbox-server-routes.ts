// The routes of the sandbox server: the part of an OpenHands agent-server (contract 1.44) that works on files and commands.
import type { IncomingMessage } from 'node:http';
import { ExecuteRequest, ServedBash } from './sandbox-server-bash.ts';
import { bodyOf, uploadOf } from './sandbox-server-body.ts';
import { ServedFiles } from './sandbox-server-files.ts';
import { ServedGit } from './sandbox-server-git.ts';
import { Refused } from './sandbox-server-refusal.ts';
import type { ServedSessions } from './sandbox-server-sessions.ts';

/** `type`: media type of `body`; `name`: what a downloaded file is called. */
export interface Reply {
  type: string;
  body: string | Uint8Array;
  name?: string;
}

/** One request: its query, and its body when a route reads it. */
export interface Asked {
  request: IncomingMessage;
  query: URLSearchParams;
  /** What follows a route that ends with `/`. */
  rest: string;
}

/** Routes by method and path. Those outside `/api` say nothing of the sessions and need no key. */
export type Routes = ReadonlyMap<string, (asked: Asked) => Promise<Reply>>;

/** A command with its environment fits; a person's file does as well. Bytes. */
const JSON_BYTES = 2_000_000;

export const routesOf = (sessions: ServedSessions, version: string): Routes => {
  const bash = new ServedBash(sessions);
  const started = Date.now();
  const uptime = (): number => Math.floor((Date.now() - started) / 1000);
  const about = () => ({ title: 'hca sandbox-server', version, uptime: uptime(), idle_time: 0, hca: sessions.about() });
  return new Map([
    ['GET /alive', async () => json({ status: 'ok' })],
    ['GET /health', async () => json({ status: 'ok' })],
    ['GET /ready', async () => json({ status: 'ready' })],
    ['GET /server_info', async () => json(about())],
    ...bashRoutes(bash),
    ...fileRoutes(new ServedFiles(sessions), new ServedGit(bash)),
  ]);
};

const EVENTS = '/api/bash/bash_events';

const bashRoutes = (bash: ServedBash): Route[] => [
  ['POST /api/bash/start_bash_command', async ({ request }) => json(bash.start(await executeOf(request)))],
  ['POST /api/bash/execute_bash_command', async ({ request }) => json(await bash.execute(await executeOf(request)))],
  [`GET ${EVENTS}/search`, async ({ query }) => json(bash.search(searchOf(query)))],
  [`GET ${EVENTS}/`, async ({ rest }) => json(bash.event(rest))],
  [`DELETE ${EVENTS}`, async () => json({ cleared_count: bash.clear() })],
];

const fileRoutes = (files: ServedFiles, git: ServedGit): Route[] => [
  ['GET /api/file/home', async () => json(files.home())],
  ['GET /api/file/search_subdirs', async ({ query }) => json(files.folders(pathOf(query), pageOf(query)))],
  ['POST /api/file/create_directory', async ({ query }) => json(await files.createFolder(pathOf(query)))],
  [
    'POST /api/file/upload',
    async ({ request, query }) => json(await files.upload(pathOf(query), await uploadOf(request))),
  ],
  [
    'GET /api/file/download',
    async ({ query }) => {
      const { name, bytes } = await files.download(pathOf(query));
      return { type: 'application/octet-stream', body: bytes, name };
    },
  ],
  [
    'GET /api/file/archive',
    async ({ query }) => {
      if ((query.get('format') ?? 'git-delta') !== 'git-delta')
        throw new Refused(422, 'format: only git-delta is served here');
      return {
        type: 'text/x-patch',
        body: await git.delta(pathOf(query), query.get('base_ref')),
        name: 'change.patch',
      };
    },
  ],
  ['GET /api/git/changes', async ({ query }) => json(await git.changes(pathOf(query), query.get('ref')))],
  ['GET /api/git/diff', async ({ query }) => json(await git.diff(pathOf(query), query.get('ref')))],
];

type Route = [string, (asked: Asked) => Promise<Reply>];

const json = (value: unknown): Reply => ({ type: 'application/json', body: JSON.stringify(value) });

const pathOf = (query: URLSearchParams): string => {
  const path = query.get('path');
  if (path === null) throw new Refused(422, 'query: path is missing');
  return path;
};

const pageOf = (query: URLSearchParams) => ({
  id: query.get('page_id'),
  limit: numberOf(query, 'limit', { low: 1, high: 100, usual: 100 }),
});

const searchOf = (query: URLSearchParams) => ({
  command: query.get('command_id__eq'),
  kind: query.get('kind__eq'),
  order: numberOf(query, 'order__gt', { low: -1, high: Number.MAX_SAFE_INTEGER, usual: -1 }),
  newestFirst: query.get('sort_order') === 'TIMESTAMP_DESC',
  limit: numberOf(query, 'limit', { low: 1, high: 100, usual: 100 }),
});

const numberOf = (
  query: URLSearchParams,
  name: string,
  range: { low: number; high: number; usual: number },
): number => {
  const value = Number(query.get(name) ?? range.usual);
  if (Number.isInteger(value) && value >= range.low && value <= range.high) return value;
  throw new Refused(422, `query: ${name} is a whole number from ${range.low} to ${range.high}`);
};

const executeOf = async (request: IncomingMessage): Promise<ExecuteRequest> => {
  const read = ExecuteRequest.safeParse(parsed((await bodyOf(request, JSON_BYTES)).toString('utf8')));
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  throw new Refused(422, `body: ${issue?.path.join('.') ?? ''} ${issue?.message ?? 'not as expected'}`);
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refused(422, 'the body is not JSON');
  }
};
