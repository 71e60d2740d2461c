// Holds every ACP message we send against the official v1 schema, the size limit and the keys a frame may have (SCHEMA-001, SCHEMA-002).
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { bytesOf, MOST_BYTES } from '#shared/protocols/acp/fit.ts';

/** Whatever came over the wire: tests look into it freely. */
export type Loose = ReturnType<typeof JSON.parse>;

/** Any frame we sent. */
export interface Sent {
  jsonrpc?: string;
  id?: string | number | null;
  method?: string;
  params?: Record<string, Loose>;
  result?: Loose;
  error?: { code: number; message: string; data?: Loose };
}

const schema = JSON.parse(
  readFileSync(new URL('../../node_modules/@agentclientprotocol/sdk/schema/v1/schema.json', import.meta.url), 'utf8'),
);
const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: false, discriminator: false });
ajv.addSchema(schema, 'acp');

const RESPONSES: Record<string, string> = {
  initialize: 'InitializeResponse',
  authenticate: 'AuthenticateResponse',
  'session/new': 'NewSessionResponse',
  'session/load': 'LoadSessionResponse',
  'session/resume': 'ResumeSessionResponse',
  'session/list': 'ListSessionsResponse',
  'session/close': 'CloseSessionResponse',
  'session/delete': 'DeleteSessionResponse',
  'session/prompt': 'PromptResponse',
  'session/set_mode': 'SetSessionModeResponse',
  'session/set_config_option': 'SetSessionConfigOptionResponse',
};
const REQUESTS: Record<string, string> = {
  'session/update': 'SessionNotification',
  'session/request_permission': 'RequestPermissionRequest',
  'elicitation/create': 'CreateElicitationRequest',
  'fs/read_text_file': 'ReadTextFileRequest',
  'fs/write_text_file': 'WriteTextFileRequest',
};

/** What is wrong with a message, by the schema of exactly this message; nothing is the empty text. Unknown root keys are wrong. */
export const wrongWith = (frame: Sent, answersTo?: string): string => {
  const unknown = Object.keys(frame).filter(
    (key) => !['jsonrpc', 'id', 'method', 'params', 'result', 'error'].includes(key),
  );
  if (unknown.length > 0) return `unknown root keys ${unknown.join(', ')}`;
  if (frame.error !== undefined) return problem('Error', frame.error);
  const what = frame.method ?? answersTo ?? '';
  if (what.startsWith('_')) return '';
  const name = frame.method === undefined ? RESPONSES[what] : REQUESTS[what];
  return name === undefined ? `no schema for "${what}"` : problem(name, frame.params ?? frame.result);
};

const problem = (name: string, value: unknown): string => {
  const known = keysOf(schema.$defs[name]);
  const stray = known.length === 0 ? [] : Object.keys(value as object).filter((key) => !known.includes(key));
  if (stray.length > 0) return `${name} has no ${stray.join(', ')}`;
  const validate = ajv.getSchema(`acp#/$defs/${name}`);
  if (validate === undefined) throw new Error(`no definition ${name}`);
  return validate(value) ? '' : `${name}: ${ajv.errorsText(validate.errors)}: ${JSON.stringify(value).slice(0, 500)}`;
};

/** Keys of a definition and of everything it is put together from. */
const keysOf = (definition: Loose): string[] => {
  if (typeof definition?.$ref === 'string') return keysOf(schema.$defs[definition.$ref.split('/').at(-1)]);
  const parts = [...(definition.allOf ?? []), ...(definition.anyOf ?? []), ...(definition.oneOf ?? [])];
  return [...Object.keys(definition.properties ?? {}), ...parts.flatMap(keysOf)];
};

/** Holds every message of ours against its schema and the size limit. */
export const checker = () => {
  const asked = new Map<unknown, string>();
  return {
    outgoing: (frame: unknown): void => {
      if (typeof frame !== 'object' || frame === null || !('id' in frame) || !('method' in frame)) return;
      asked.set(frame.id, String(frame.method));
    },
    incoming: (frame: Sent): Sent => {
      const wrong = wrongWith(frame, frame.id == null ? '' : asked.get(frame.id));
      if (wrong !== '') throw new Error(wrong);
      if (bytesOf(frame) > MOST_BYTES) throw new Error(`a frame of ${bytesOf(frame)} bytes`);
      return frame;
    },
  };
};
