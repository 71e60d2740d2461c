// The few calls of an OpenHands agent-server that a sandbox needs, over fetch: commands, files, folders. Holds no state but the address.
import { setTimeout as wait } from 'node:timers/promises';
import type { BashOutput, ExecuteBashRequest } from '@openhands/typescript-client';
import * as z from 'zod';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { AgentServer } from '#shared/ports/agent-servers.ts';
import { type Call, lostFault, oddFault, statusFault } from './server-faults.ts';
import { FolderPage, HomeAnswer, OutputPage, type OutputPiece, ServerAbout, StartedCommand } from './wire.ts';

/** Everything a command wrote on its standard output, and its exit code; -1 when the server ended it for its time. */
export type ShellAnswer = { exit_code: number; stdout: string; stderr: string };

/** A single request is answered at once; a command is asked after in steps. */
const REQUEST_MS = 60_000;

/** First and longest pause between two questions after a command's end (ms). */
const POLL_MS = { first: 4, longest: 400 };

/** Asking after output is no use that the server counts; whoever stops idle servers must see that a command is waited for. */
const STIR_MS = 60_000;

/** The server ends a command itself; an answer that stays out longer than this after that is lost. */
const GRACE_MS = 15_000;

export class AgentServerClient {
  /** Scheme, host and port, for messages. */
  readonly origin: string;
  readonly #server: AgentServer;
  readonly #stir_ms: number;

  /** @throws HcaFault HcaBadInput for an address that is none or a missing key: a server without a key is open to everybody. */
  constructor(server: AgentServer, stir_ms = STIR_MS) {
    this.#server = server;
    this.#stir_ms = stir_ms;
    this.origin = originOf(server);
  }

  /** Home folder of the server's user, where sessions lie. */
  async home(): Promise<string> {
    return (await this.#json('GET /api/file/home', HomeAnswer)).home;
  }

  async about(): Promise<ServerAbout> {
    return this.#json('GET /server_info', ServerAbout);
  }

  /** Runs a script of `/bin/sh` to its end. @throws HcaFault HcaUnavailable when server or command are lost on the way */
  async shell(command: string, options: { cwd: string; timeout_ms: number }): Promise<ShellAnswer> {
    const timeout = Math.ceil(options.timeout_ms / 1000);
    const request = { command, cwd: options.cwd, timeout } satisfies ExecuteBashRequest;
    const body = { body: JSON.stringify(request), headers: { 'content-type': 'application/json' } };
    const { id } = await this.#json('POST /api/bash/start_bash_command', StartedCommand, body);
    const deadline = Date.now() + options.timeout_ms + GRACE_MS;
    const pieces: OutputPiece[] = [];
    let stirred = Date.now();
    for (let pause = POLL_MS.first; Date.now() < deadline; pause = Math.min(pause * 2, POLL_MS.longest)) {
      const more = await this.#pieces(id, pieces.length - 1);
      pieces.push(...more);
      const ended = pieces.find((piece) => typeof piece.exit_code === 'number');
      if (ended !== undefined) return answerOf(pieces);
      if (more.length === 0 && pause === POLL_MS.longest) await this.#json(`GET ${EVENTS}/${bare(id)}`, z.unknown());
      stirred = await this.#stir(options.cwd, stirred);
      await wait(pause);
    }
    throw lostFault({ origin: this.origin, what: 'a command' }, undefined);
  }

  /** The answer does not matter: a folder is no file, and to ask is what counts. */
  async #stir(folder: string, last: number): Promise<number> {
    if (Date.now() - last < this.#stir_ms) return last;
    await this.#fetch('GET /api/file/download', { query: { path: folder } });
    return Date.now();
  }

  async upload(path: string, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
    const body = new FormData();
    body.append('file', new Blob([bytes]), 'file');
    await this.#json('POST /api/file/upload', z.unknown(), { body, query: { path } });
  }

  async createFolder(path: string): Promise<void> {
    await this.#json('POST /api/file/create_directory', z.unknown(), { query: { path } });
  }

  /** Null when there is no such file. */
  async download(path: string): Promise<Uint8Array<ArrayBuffer> | null> {
    const call = 'GET /api/file/download';
    const response = await this.#fetch(call, { query: { path } });
    if (response.status === 404) return null;
    await this.#check(call, response);
    return this.#body(call, async () => new Uint8Array(await response.arrayBuffer()));
  }

  /** Names of the folders in a folder. */
  async folders(path: string): Promise<string[]> {
    const names: string[] = [];
    for (let page: string | null | undefined = ''; typeof page === 'string'; ) {
      const query: Record<string, string> = { path, limit: '100', ...(page === '' ? {} : { page_id: page }) };
      const found: FolderPage = await this.#json('GET /api/file/search_subdirs', FolderPage, { query });
      names.push(...found.items.map(({ name }) => name));
      page = found.next_page_id;
    }
    return names;
  }

  /** Output of a command after the piece numbered `after`, -1 for all, to the last page. */
  async #pieces(id: string, after: number): Promise<OutputPiece[]> {
    const found: OutputPiece[] = [];
    const asked = { kind__eq: 'BashOutput' satisfies BashOutput['kind'], command_id__eq: id, sort_order: 'TIMESTAMP' };
    for (let page: string | null | undefined = ''; typeof page === 'string'; ) {
      const more: Record<string, string> = page === '' ? {} : { page_id: page };
      const query = { ...asked, ...(after < 0 ? {} : { order__gt: String(after) }), ...more };
      const answer: OutputPage = await this.#json(`GET ${EVENTS}/search`, OutputPage, { query });
      found.push(...answer.items);
      page = answer.next_page_id;
    }
    return found;
  }

  async #json<T>(call: string, schema: z.ZodType<T>, request: Request = {}): Promise<T> {
    const response = await this.#fetch(call, request);
    await this.#check(call, response);
    const text = await this.#body(call, () => response.text());
    try {
      return schema.parse(JSON.parse(text));
    } catch (cause) {
      throw oddFault(this.#named(call), cause);
    }
  }

  /** A redirect could take the key elsewhere, so none is followed. */
  async #fetch(call: string, { query = {}, body, headers = {} }: Request): Promise<Response> {
    const [method = 'GET', path = ''] = call.split(' ');
    const url = new URL(this.#server.url.replace(/\/+$/, '') + path);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const secret = { ...headers, 'X-Session-API-Key': this.#server.key };
    const signal = AbortSignal.timeout(REQUEST_MS);
    const init: RequestInit = {
      method,
      headers: secret,
      redirect: 'error',
      signal,
      ...(body === undefined ? {} : { body }),
    };
    return this.#body(call, () => fetch(url, init));
  }

  async #check(call: string, response: Response): Promise<void> {
    if (response.ok) return;
    throw statusFault(this.#named(call), response.status, await this.#body(call, () => response.text()));
  }

  /** Whatever breaks on the way is a lost answer. */
  async #body<T>(call: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (cause) {
      throw lostFault(this.#named(call), cause);
    }
  }

  #named(call: string): Call {
    return { origin: this.origin, what: call };
  }
}

const EVENTS = '/api/bash/bash_events';

type Request = { query?: Record<string, string>; body?: string | FormData; headers?: Record<string, string> };

/** The server names its event files without the dashes of an id, and finds them by that. */
const bare = (id: string): string => id.replaceAll('-', '');

function answerOf(pieces: readonly OutputPiece[]): ShellAnswer {
  const text = (stream: 'stdout' | 'stderr'): string => pieces.map((piece) => piece[stream] ?? '').join('');
  const exit_code = pieces.findLast((piece) => typeof piece.exit_code === 'number')?.exit_code ?? -1;
  return { exit_code, stdout: text('stdout'), stderr: text('stderr') };
}

function originOf({ url, key }: AgentServer): string {
  const remedy = 'set HCA_SANDBOX to its address and HCA_SANDBOX_SECRET to the secret with its key';
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol) || parsed.username !== '')
    throw new HcaFault('HcaBadInput', {
      message: 'the address of the agent-server is no http(s) URL',
      field: 'sandbox',
      remedy,
    });
  if (key === '')
    throw new HcaFault('HcaBadInput', { message: 'the agent-server has no key', field: 'sandbox', remedy });
  return parsed.origin;
}
