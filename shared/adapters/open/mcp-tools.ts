// The tools port over MCP: the one way to any tool. Policy, lane and arguments are checked here before anything is called,
// and every call leaves evidence (harness layers 4 and 5; requirements 8).
import { randomUUID } from 'node:crypto';
import type { Confinement, Evidence, ToolCall, ToolOutcome } from '#shared/contracts/evidence.ts';
import type { PolicyAnswer } from '#shared/contracts/policy.ts';
import type { Sandbox } from '#shared/ports/sandbox.ts';
import type { ToolContext, ToolEntry, Tools } from '#shared/ports/tools.ts';
import { connectOwn, type McpConnection, type RawAnswer, type ServerTool } from './mcp-connection.ts';
import { bounded, evidenceOf, redactAll, redactor } from './mcp-evidence.ts';
import { type ForeignServer, ForeignServers } from './mcp-foreign-servers.ts';
import { rankEntries } from './mcp-lanes.ts';
import { CommandResult, OWN_TOOLS, type ToolClass } from './mcp-own-servers.ts';
import { classUnder, decide, serverOf, tighten } from './mcp-subject.ts';

/** `servers`: foreign MCP servers by name; `result_chars` bounds the text of a result. */
export type McpToolsOptions = { servers?: Readonly<Record<string, ForeignServer>>; result_chars?: number };

/** A tool that is there: how to call it and what its calls are confined by. */
type Located = {
  connection: McpConnection;
  name: string;
  tool: ServerTool;
  class: ToolClass;
  workspace?: string;
  confinement: Confinement;
};

/** 64 KB is more than a model reads of one result; longer ones keep head and tail. */
const RESULT_CHARS = 64_000;

/** Beyond the command's own time limit, so that the sandbox's limit is the one that ends it. */
const GRACE_MS = 30_000;
const CALL_MS = 120_000;

const IN_PROCESS: Confinement = { kind: 'in-process', network: false, memory_limited: false, notes: [] };

export class McpTools implements Tools {
  readonly #own: Promise<ReadonlyMap<string, McpConnection>>;
  readonly #foreign: ForeignServers;
  readonly #limit: number;
  readonly #faults = new Map<string, unknown>();

  constructor(sandbox: Sandbox, options: McpToolsOptions = {}) {
    this.#own = connectOwn(sandbox, (call, fault) => this.#faults.set(call, fault));
    this.#foreign = new ForeignServers(sandbox, options.servers ?? {});
    this.#limit = options.result_chars ?? RESULT_CHARS;
  }

  async list(context: ToolContext): Promise<ToolEntry[]> {
    const foreign = [...this.#foreign.configured].flatMap(([server, { tools }]) =>
      Object.entries(tools).map(([name, known]): [string, ToolClass] => [`${server}.${name}`, known]),
    );
    const known = [...Object.entries(OWN_TOOLS), ...foreign];
    const entries = await Promise.all(
      known.map(([tool, own]) => this.#entry(context, tool, classUnder(context, tool, own))),
    );
    return entries.filter((entry) => entry !== null).sort((a, b) => (a.tool < b.tool ? -1 : 1));
  }

  async discover(context: ToolContext, text: string): Promise<{ entry: ToolEntry; score: number }[]> {
    return rankEntries(await this.list(context), text);
  }

  async call(context: ToolContext, call: ToolCall): Promise<ToolOutcome> {
    const own = this.#classOf(context, call.tool);
    const first = decide(context, call, own === undefined ? undefined : { class: { ...own, writes: [] } });
    if (own === undefined || !first.allowed) return refused(first);
    const located = await this.#locate(context, call.tool, own);
    if (located === null)
      return refused({ allowed: false, rule: 'tools.unknown', reason: `there is no tool "${call.tool}"` });
    const answer = decide(context, call, located);
    if (!answer.allowed) return refused(answer);
    const problem = await located.tool.problem(call.arguments);
    if (problem !== null) return refused({ allowed: false, rule: 'arguments', reason: problem });
    return this.#perform(context, call, { located, rule: answer.rule });
  }

  async release(session: string): Promise<void> {
    await this.#foreign.release(session);
  }

  async #perform(
    context: ToolContext,
    call: ToolCall,
    checked: { located: Located; rule: string },
  ): Promise<ToolOutcome> {
    const { located, rule } = checked;
    const started = Date.now();
    const id = randomUUID();
    const options = { context, id, timeout_ms: timeLimit(call) };
    const raw = await located.connection.call(located.name, call.arguments, options);
    this.#throwFault(id);
    const command = call.tool === 'shell.run' && !raw.failed ? CommandResult.parse(raw.structured) : null;
    const redact = redactor(context.secrets ?? []);
    const confinement = command?.confinement ?? located.confinement;
    const evidence = evidenceOf(
      { call, kind: kindOf(call.tool), started, text: raw.text, command, confinement },
      redact,
    );
    const { text, truncated } = bounded(redact(raw.text), this.#limit);
    const structured = raw.structured === undefined ? undefined : redactAll(raw.structured, redact);
    const result = { text, truncated: truncated || command?.truncated === true, ...(structured && { structured }) };
    return { status: statusOf(raw, command), result, evidence, rule };
  }

  #classOf(context: ToolContext, tool: string): ToolClass | undefined {
    const server = serverOf(tool);
    const own = Object.hasOwn(OWN_TOOLS, tool) ? OWN_TOOLS[tool] : undefined;
    if (own !== undefined) return classUnder(context, tool, own);
    const table = this.#foreign.configured.get(server)?.tools ?? {};
    const name = tool.slice(server.length + 1);
    return Object.hasOwn(table, name) ? table[name] : undefined;
  }

  /** Null when the server does not offer the tool. @throws HcaFault HcaUnavailable when a foreign server does not start. */
  async #locate(context: ToolContext, name: string, known: ToolClass): Promise<Located | null> {
    const server = serverOf(name);
    const own = (await this.#own).get(server);
    const found =
      own === undefined
        ? await this.#foreign.connect(server, context.session)
        : { connection: own, confinement: IN_PROCESS };
    const short = name.slice(server.length + 1);
    const tool = found.connection.tools.get(short);
    if (tool === undefined) return null;
    return { ...found, name: short, tool, class: own === undefined ? tighten(known, tool.tool.annotations) : known };
  }

  /** Null for what policy and lane do not let this caller see. A foreign server that does not start is listed as not ready. */
  async #entry(context: ToolContext, tool: string, known: ToolClass): Promise<ToolEntry | null> {
    const call = { tool, arguments: {} };
    const before = decide(context, call, { class: { ...known, writes: [] } });
    if (!before.allowed && before.needs === undefined) return null;
    try {
      const located = await this.#locate(context, tool, known);
      if (located === null) return null;
      const { allowed, needs } = decide(context, call, { class: { ...located.class, writes: [] } });
      if (!allowed && needs === undefined) return null;
      const { description = '', inputSchema } = located.tool.tool;
      const side_effect = located.class.side_effect;
      return {
        tool,
        description,
        side_effect,
        needs_approval: needs !== undefined,
        ready: true,
        input_schema: inputSchema,
      };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const { side_effect } = known;
      return { tool, description: '', side_effect, needs_approval: false, ready: false, reason, input_schema: {} };
    }
  }

  #throwFault(call: string): void {
    const fault = this.#faults.get(call);
    this.#faults.delete(call);
    if (fault !== undefined) throw fault;
  }
}

/** What policy, lane or arguments did not let through. */
export function refused(answer: PolicyAnswer): ToolOutcome {
  const { rule, reason, needs } = answer;
  return {
    status: 'refused',
    result: { text: reason, truncated: false },
    evidence: null,
    rule,
    ...(needs && { needs }),
  };
}

/** A command's exit code decides; any other tool says itself whether it failed. */
function statusOf(raw: RawAnswer, command: CommandResult | null): 'ok' | 'error' {
  if (raw.failed) return 'error';
  return command === null || (command.exit_code === 0 && !command.timed_out) ? 'ok' : 'error';
}

function timeLimit(call: ToolCall): number {
  const asked = call.arguments.timeout_ms;
  return (typeof asked === 'number' && asked > 0 ? asked : CALL_MS) + GRACE_MS;
}

function kindOf(tool: string): Evidence['kind'] {
  const kinds: Readonly<Record<string, Evidence['kind']>> = { shell: 'command', filesystem: 'file', git: 'diff' };
  return kinds[serverOf(tool)] ?? 'tool';
}
