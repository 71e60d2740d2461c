// One MCP server as the runtime-tool sees it: its tools with compiled input schemas, and calls with the session attached.
import {
  Client,
  fromJsonSchema,
  InMemoryTransport,
  type JsonSchemaType,
  type Tool,
  type Transport,
} from '@modelcontextprotocol/client';
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/client/validators/cf-worker';
import type { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { ToolCall } from '#shared/contracts/evidence.ts';
import { rootOf } from '#shared/contracts/ids.ts';
import { traceOf } from '#shared/domain/trace-context.ts';
import type { Sandbox } from '#shared/ports/sandbox.ts';
import type { ToolContext } from '#shared/ports/tools.ts';
import { CALL_META, ownServers, SESSION_META, TRACE_META } from './mcp-own-servers.ts';

export type ServerTool = { tool: Tool; problem(args: ToolCall['arguments']): Promise<string | null> };

/** Checks by walking the schema. The protocol's own default generates code for each schema, and is four times the size (scripts/build-functions.ts). */
const validator = new CfWorkerJsonSchemaValidator();

const Structured = z.record(z.string(), z.json());

export type RawAnswer = { text: string; structured: z.infer<typeof Structured> | undefined; failed: boolean };

/** Session, trace and `id` of the call are told to the server; `timeout_ms` bounds the whole call. */
type CallOptions = { context: Pick<ToolContext, 'session' | 'task'>; id: string; timeout_ms: number };

export class McpConnection {
  readonly tools: ReadonlyMap<string, ServerTool>;
  readonly #client: Client;

  private constructor(client: Client, tools: ReadonlyMap<string, ServerTool>) {
    this.#client = client;
    this.tools = tools;
  }

  static async own(server: McpServer): Promise<McpConnection> {
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    await server.connect(theirs);
    return McpConnection.over(ours);
  }

  /** Speaks the newest revision both sides know. */
  static async over(transport: Transport): Promise<McpConnection> {
    const client = new Client(
      { name: 'hca', version: '0.1.0' },
      { versionNegotiation: { mode: 'auto' }, jsonSchemaValidator: validator },
    );
    await client.connect(transport);
    const { tools } = await client.listTools();
    return new McpConnection(client, new Map(tools.map((tool) => [tool.name, { tool, problem: problemOf(tool) }])));
  }

  /** A call that the protocol itself fails is an answer that failed. */
  async call(name: string, args: ToolCall['arguments'], options: CallOptions): Promise<RawAnswer> {
    const { session, task } = options.context;
    const trace = traceOf(rootOf(task), session);
    const _meta = { [SESSION_META]: session, [CALL_META]: options.id, [TRACE_META]: trace };
    const request = { name, arguments: args, _meta };
    try {
      const answer = await this.#client.callTool(request, { timeout: options.timeout_ms });
      const structured = Structured.safeParse(answer.structuredContent).data;
      return { text: textOf(answer.content), structured, failed: answer.isError === true };
    } catch (error) {
      return { text: error instanceof Error ? error.message : String(error), structured: undefined, failed: true };
    }
  }

  async close(): Promise<void> {
    await this.#client.close();
  }
}

/** Our own servers, connected in memory. `onFault` gets the id of a call that met a fault of the sandbox. */
export async function connectOwn(
  sandbox: Sandbox,
  onFault: (call: string, fault: unknown) => void,
): Promise<ReadonlyMap<string, McpConnection>> {
  const servers = Object.entries(ownServers(sandbox, onFault));
  return new Map(
    await Promise.all(servers.map(async ([name, server]) => [name, await McpConnection.own(server)] as const)),
  );
}

function problemOf(tool: Tool): ServerTool['problem'] {
  // A plain copy, because the protocol's type of a schema and the validator's do not meet. Compiled at the first call.
  const copy: JsonSchemaType = JSON.parse(JSON.stringify(tool.inputSchema));
  let schema: ReturnType<typeof fromJsonSchema> | undefined;
  return async (args) => {
    schema ??= fromJsonSchema(copy, validator);
    const outcome = await schema['~standard'].validate(args);
    return outcome.issues === undefined ? null : outcome.issues.map((issue) => issue.message).join('; ');
  };
}

type Content = Awaited<ReturnType<Client['callTool']>>['content'];

/** Pictures and sounds are named, not carried. */
function textOf(content: Content): string {
  return content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n');
}
