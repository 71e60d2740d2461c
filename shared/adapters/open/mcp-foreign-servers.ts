// Foreign MCP servers given in the configuration: each runs inside the session it serves, and ends with it.
import { HcaFault } from '#shared/contracts/errors.ts';
import type { Confinement } from '#shared/contracts/evidence.ts';
import type { Sandbox } from '#shared/ports/sandbox.ts';
import { McpConnection } from './mcp-connection.ts';
import type { ToolClass } from './mcp-own-servers.ts';
import { ProcessTransport } from './mcp-process-transport.ts';

/**
 * `command`: argument list; `${workspace}` becomes the workspace's path inside the session. `tools` classifies each tool
 * by name: one that is not in the table does not exist for hca, whatever the server offers (fail closed).
 */
export type ForeignServer = {
  command: readonly string[];
  env?: Readonly<Record<string, string>>;
  tools: Readonly<Record<string, ToolClass>>;
};

/** `workspace` is the path that the server knows the session's files by. */
export type ForeignConnection = { connection: McpConnection; workspace: string; confinement: Confinement };

export class ForeignServers {
  readonly configured: ReadonlyMap<string, ForeignServer>;
  readonly #sandbox: Sandbox;
  readonly #open = new Map<string, Promise<ForeignConnection>>();

  constructor(sandbox: Sandbox, configured: Readonly<Record<string, ForeignServer>>) {
    this.#sandbox = sandbox;
    this.configured = new Map(Object.entries(configured));
  }

  /** Started at the first use in a session; one that ended is started again. @throws HcaFault HcaUnavailable */
  async connect(name: string, session: string): Promise<ForeignConnection> {
    const key = JSON.stringify([session, name]);
    const opening = this.#open.get(key) ?? this.#start(name, session, () => this.#open.delete(key));
    this.#open.set(key, opening);
    return opening.catch((cause: unknown) => {
      this.#open.delete(key);
      if (cause instanceof HcaFault) throw cause;
      throw new HcaFault('HcaUnavailable', { message: `the MCP server "${name}" did not start in the session`, cause });
    });
  }

  async release(session: string): Promise<void> {
    for (const [key, opening] of this.#open) {
      if (!key.startsWith(`${JSON.stringify([session]).slice(0, -1)},`)) continue;
      this.#open.delete(key);
      await opening.then(({ connection }) => connection.close()).catch(() => undefined);
    }
  }

  async #start(name: string, session: string, onEnd: () => void): Promise<ForeignConnection> {
    const server = this.configured.get(name);
    if (server === undefined) throw new HcaFault('HcaNotFound', { message: `no MCP server "${name}" is configured` });
    const here = await this.#sandbox.run(session, { command: ['pwd'], timeout_ms: 10_000, output_bytes: 8192 });
    const workspace = here.stdout.trimEnd();
    const command = server.command.map((part) => part.replaceAll('${workspace}', workspace));
    const env = server.env ?? {};
    const process = await this.#sandbox.spawn(session, { command, env });
    process.exited.then(onEnd).catch(() => undefined);
    const early = process.exited.then(({ exit_code }) => {
      throw new HcaFault('HcaUnavailable', { message: `the MCP server "${name}" ended at once (exit ${exit_code})` });
    });
    const connection = await Promise.race([McpConnection.over(new ProcessTransport(process)), early]);
    return { connection, workspace, confinement: here.confinement };
  }
}
