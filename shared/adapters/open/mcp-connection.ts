// One MCP server as the runtime-tool sees it: its tools with compiled input schemas, and calls with the session attached.
import { Client, fromJsonSchema, InMemoryTransport, type Tool, type Transport } from '@modelcontextprotocol/client';
import type { McpServer } from '@modelcontextprotocol/server';
import type { ToolCall } from '#shared/contracts/evidence.ts';
import { SESSION_META } from './mcp-own-servers.ts';

export type ServerTool = { tool: Tool; problem(args: ToolCall['arguments']): Promise<string | null> };

export type RawAnswer = { text: string; structured: Record<string, unknown> | undefined; failed: boolean };

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
    const client = new Client({ name: 'hca', version: '0.1.0' }, { versionNegotiation: { mode: 'auto' } });
    await client.connect(transport);
    const { tools } = await client.listTools();
    return new McpConnection(client, new Map(tools.map((tool) => [tool.name, { tool, problem: problemOf(tool) }])));
  }

  /** `timeout_ms` bounds the whole call. A call that the protocol itself fails is an answer that failed. */
  async call(name: string, args: ToolCall['arguments'], options: { session: string; timeout_ms: number }): Promise<RawAnswer> {
    const request = { name, arguments: args, _meta: { [SESSION_META]: options.session } };
    try {
      const answer = await this.#client.callTool(request, { timeout: options.timeout_ms });
      return { text: textOf(answer.content), structured: answer.structuredContent, failed: answer.isError === true };
    } catch (error) {
      return { text: error instanceof Error ? error.message : String(error), structured: undefined, failed: true };
    }
  }

  async close(): Promise<void> {
    await this.#client.close();
  }
}

function problemOf(tool: Tool): ServerTool['problem'] {
  const schema = fromJsonSchema(tool.inputSchema)['~standard'];
  return async (args) => {
    const outcome = await schema.validate(args);
    return outcome.issues === undefined ? null : outcome.issues.map((issue) => issue.message).join('; ');
  };
}

type Content = Awaited<ReturnType<Client['callTool']>>['content'];

/** Pictures and sounds are named, not carried. */
function textOf(content: Content): string {
  return content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n');
}
