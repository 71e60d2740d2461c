// The routes of the sandbox server: the part of an OpenHands agent-server (contract 1.44) that works on files and commands.
import type { IncomingMessage } from 'node:http';
import { basename } from 'node:path';
import { ServedBash } from './sandbox-server-bash.ts';
import { bodyOf, uploadOf } from './sandbox-server-body.ts';
import { ServedFiles } from './sandbox-server-files.ts';
import { ServedGit, USUAL_EXCLUDES } from './sandbox-server-git.ts';
import { executeOf, flag, idOf, limitOf, oneOf, pathOf, timeOf, wholeNumber } from './sandbox-server-query.ts';
import { invalid, Refused } from './sandbox-server-refusal.ts';
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
  let used = started;
  const since = (time: number): number => Math.floor((Date.now() - time) / 1000);
  const times = () => ({ uptime: since(started), idle_time: since(used) });
  const about = () => ({ title: 'hca sandbox-server', version, ...times(), hca: sessions.about() });
  const counted = ([call, serve]: Route): Route => [
    call,
    async (asked) => {
      if (!LOOKS.test(call)) used = Date.now();
      return serve(asked);
    },
  ];
  return new Map([
    ['GET /alive', async () => json({ status: 'ok' })],
    ['GET /health', async () => json({ status: 'ok' })],
    ['GET /ready', async () => json({ status: 'ready' })],
    ['GET /server_info', async () => json(about())],
    ...bashRoutes(bash).map(counted),
    ...fileRoutes(new ServedFiles(sessions), new ServedGit(bash, sessions)).map(counted),
  ]);
};

/** Calls that are no use of the server: whoever only looks does not keep it from being idle. */
const LOOKS = /\/(home|search_subdirs|bash_events.*)$/;

const EVENTS = '/api/bash/bash_events';

const bashRoutes = (bash: ServedBash): Route[] => [
  ['POST /api/bash/start_bash_command', async ({ request }) => json(bash.start(await commandOf(request)))],
  ['POST /api/bash/execute_bash_command', async ({ request }) => json(await bash.execute(await commandOf(request)))],
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
      const path = pathOf(query);
      if ((oneOf(query, 'format', ['git-delta', 'tar.gz']) ?? 'git-delta') === 'tar.gz')
        throw new Refused(501, 'only git-delta is served here');
      files.folder(path);
      return { type: 'text/x-patch', body: await git.delta(path, patchOf(query)), name: `${basename(path)}.patch` };
    },
  ],
  ['GET /api/git/changes', async ({ query }) => json(await git.changes(pathOf(query), query.get('ref')))],
  ['GET /api/git/diff', async ({ query }) => json(await git.diff(pathOf(query), comparedOf(query)))],
];

type Route = [string, (asked: Asked) => Promise<Reply>];

const json = (value: unknown): Reply => ({ type: 'application/json', body: JSON.stringify(value) });

const pageOf = (query: URLSearchParams) => ({
  id: query.get('page_id'),
  limit: limitOf(query),
  hidden: flag(query, 'include_hidden', false),
});

const searchOf = (query: URLSearchParams) => ({
  kind: oneOf(query, 'kind__eq', ['BashCommand', 'BashOutput']),
  command: idOf(query, 'command_id__eq'),
  since: timeOf(query, 'timestamp__gte'),
  before: timeOf(query, 'timestamp__lt'),
  order: wholeNumber(query, 'order__gt'),
  newestFirst: oneOf(query, 'sort_order', ['TIMESTAMP', 'TIMESTAMP_DESC']) === 'TIMESTAMP_DESC',
  page: query.get('page_id'),
  limit: limitOf(query),
});

const patchOf = (query: URLSearchParams) => ({
  base: query.get('base_ref'),
  excludes: [...(flag(query, 'use_default_excludes', true) ? USUAL_EXCLUDES : []), ...query.getAll('exclude')],
});

/** A commit's name is hexadecimal, so that it can be no option of git. */
const comparedOf = (query: URLSearchParams) => {
  const [ref, commit] = [query.get('ref'), query.get('commit')];
  if (commit !== null && !/^[0-9a-fA-F]{4,64}$/.test(commit))
    throw invalid(['query', 'commit'], 'String should be the name of a commit');
  if (ref !== null && commit !== null) throw new Refused(400, "'ref' and 'commit' are mutually exclusive");
  return { ref, commit };
};

const commandOf = async (request: IncomingMessage) => executeOf((await bodyOf(request, JSON_BYTES)).toString('utf8'));
