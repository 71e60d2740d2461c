// Asks an agent-server one thing after the other and writes down what it answers, without what differs from run to run: ids, times, places. So that two
// servers, or one and what another said once, can be compared.
import type { AgentServer } from '#shared/ports/agent-servers.ts';

/** What is asked: method and path; `$dir` in it stands for the folder, `$command` for the last command and `$page` for the next page. `json` and `form` are bodies, `key` replaces the server's. */
export interface Question {
  ask: string;
  json?: unknown;
  raw?: string;
  form?: string;
  key?: string | null;
}

/** Status, media type and body as they are compared. */
export interface Answer {
  status: number;
  type: string;
  body: unknown;
}

export class ContractRig {
  readonly dir: string;
  readonly #server: AgentServer;
  readonly #home: string;
  #ids = new Map<string, string>();
  /** The last command that was told of, and the next page. */
  #seen = { command: '', page: '' };

  private constructor(server: AgentServer, home: string, name: string) {
    this.#server = server;
    this.#home = home;
    this.dir = `${home}/${name}`;
  }

  /** On a server, in an empty folder of that name. */
  static async on(server: AgentServer, name: string): Promise<ContractRig> {
    const response = await fetch(`${server.url}/api/file/home`, { headers: { 'X-Session-API-Key': server.key } });
    const { home } = (await response.json()) as { home: string };
    const rig = new ContractRig(server, home, name);
    await rig.asked({ ask: 'POST /api/file/create_directory?path=$dir' });
    await rig.shell('find . -mindepth 1 -delete');
    return rig;
  }

  /** Runs a command in the folder, to its end. */
  async shell(command: string): Promise<Answer> {
    return this.asked({ ask: 'POST /api/bash/execute_bash_command', json: { command, cwd: this.dir } });
  }

  async asked(question: Question): Promise<Answer> {
    const response = await this.response(question);
    const type = (response.headers.get('content-type') ?? '').split(';')[0] ?? '';
    const text = await response.text();
    this.#ids = new Map();
    const body = type === 'application/json' ? this.#plain(JSON.parse(text)) : this.#text(text);
    return { status: response.status, type, body: /^(text|application.(json|octet))/.test(type) ? body : 'bytes' };
  }

  async response({ ask, json, raw, form, key = this.#server.key }: Question): Promise<Response> {
    const [method = '', path = ''] = ask.split(' ');
    const place = path
      .replaceAll('$dir', this.dir)
      .replace('$command', this.#seen.command)
      .replace('$page', this.#seen.page);
    const body = new FormData();
    if (form !== undefined) body.append('file', new Blob([form]), 'file');
    const text = raw ?? (json === undefined ? undefined : JSON.stringify(json).replaceAll('$dir', this.dir));
    const content = form === undefined ? text : body;
    return fetch(this.#server.url + place, {
      method,
      headers: {
        ...(key === null ? {} : { 'X-Session-API-Key': key }),
        ...(text === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(content === undefined ? {} : { body: content }),
    });
  }

  #plain(value: unknown): unknown {
    if (typeof value === 'string') return this.#text(value);
    if (Array.isArray(value)) return value.map((one) => this.#plain(one));
    if (typeof value !== 'object' || value === null) return value;
    const pairs = Object.entries(value).flatMap(([name, one]) => this.#pair(name, one));
    return Object.fromEntries(pairs.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Of what is wrong with a request its place is compared, not the words; a page's name is the server's own. */
  #pair(name: string, value: unknown): [string, unknown][] {
    if (WORDS.has(name)) return [];
    if (name === 'command_id') this.#seen.command = String(value);
    if (name === 'loc' && Array.isArray(value)) return [[name, value.filter((part) => typeof part === 'string')]];
    if (name !== 'next_page_id') return [[name, TIMES.has(name) ? typeof value : this.#plain(value)]];
    this.#seen.page = String(value);
    return [[name, value === null ? null : 'there is more']];
  }

  /** Ids are numbered in the order in which they come; long texts are told by their length. */
  #text(value: string): string {
    if (/^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/.test(value)) {
      const known = this.#ids.get(value.replaceAll('-', '')) ?? `id ${this.#ids.size + 1}`;
      this.#ids.set(value.replaceAll('-', ''), known);
      return value.includes('-') ? `${known}, with dashes` : known;
    }
    if (value.length > 10_000) return `${value.length} characters`;
    return value.replaceAll(this.dir, '$dir').replaceAll(this.#home, '$home');
  }
}

const WORDS = new Set(['msg', 'type', 'input', 'ctx', 'exception', 'error_id']);

const TIMES = new Set(['timestamp', 'uptime', 'idle_time']);
