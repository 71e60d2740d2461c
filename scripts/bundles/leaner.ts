// What the bundles of the cloud host leave out because nothing in them ever calls it (docs/decisions/0050). Each line says why it cannot be called.

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';
import * as z from 'zod';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * - Lambda gives credentials by its environment alone, so the SDK's chain of other providers goes (a quarter of a bundle).
 * - A client's description of all its operations is one file of arrays that the bundler dares not drop singly; as calls marked pure it does (55 KB of S3).
 * - Of its package.json it asks the version.
 * - Streams of events are answers of operations that none of ours is; every client brings how they are coded.
 * - Both halves of the MCP SDK bring a JSON schema checker of their own as the default, 153 KB each; ours is given (`mcp-connection.ts`).
 */
export const leaner: Plugin = {
  name: 'leaner',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^@aws-sdk\/credential-provider-node$/ }, () => ({
      path: `${ROOT}shared/adapters/aws/environment-credentials.ts`,
    }));
    onLoad({ filter: /@aws-sdk\/client-[\w-]+\/package\.json$/ }, async ({ path }) => ({
      contents: JSON.stringify({ version: Named.parse(JSON.parse(await readFile(path, 'utf8'))).version }),
      loader: 'json',
    }));
    onLoad({ filter: /@aws-sdk\/client-[\w-]+\/dist-es\/schemas\/schemas_0\.js$/ }, async ({ path }) => ({
      contents: droppable(await readFile(path, 'utf8')),
    }));
    onLoad({ filter: /@smithy\/core\/dist-es\/submodules\/event-streams\/index\.js$/ }, () => ({
      contents: WITHOUT_EVENTS,
    }));
    onLoad({ filter: /@modelcontextprotocol\/(client|server)\/dist\/shimsNode\.mjs$/ }, () => ({
      contents: WITHOUT_CHECKER,
    }));
  },
};

const Named = z.looseObject({ version: z.string() });

/** `export var Name = [ … ];` as a pure call that gives the same. Arrays refer to others through functions, so nothing is read too early. */
const droppable = (text: string): string =>
  text.replaceAll(/^((?:export )?var \w+\$?) = (\[[\s\S]*?\n?\]);$/gm, '$1 = /* @__PURE__ */ (() => $2)();');

/** What the protocol and S3 name of it. */
const WITHOUT_EVENTS = `export const eventStreamSerdeProvider = () => undefined;
export const resolveEventStreamSerdeConfig = (input) => input;
export class EventStreamSerde {
  constructor() { throw new Error('Streams of events are not in this bundle (scripts/bundles/leaner.ts)'); }
}`;

/** What both halves take from their host, as for Node; a checker that was forgotten to be given says so. */
const WITHOUT_CHECKER = `export const CORS_IS_POSSIBLE = false;
export class DefaultJsonSchemaValidator {
  getValidator() { throw new Error('The default JSON schema checker is not in this bundle (scripts/bundles/leaner.ts)'); }
}`;
