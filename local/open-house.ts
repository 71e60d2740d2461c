// The house as a person runs it: storage in the home, the embedded sandbox, our MCP servers, the harness packages, the default holarchy.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { preview } from '#functions/plan/preview.ts';
import { filesProfiles } from '#shared/adapters/local/files-profiles.ts';
import { filesSecrets } from '#shared/adapters/local/files-secrets.ts';
import { FilesWorkspaces } from '#shared/adapters/local/files-workspaces.ts';
import { homeProfiles } from '#shared/adapters/local/home-profiles.ts';
import { ProcessSandbox } from '#shared/adapters/local/process-sandbox.ts';
import { sessionNames, sessionTrees } from '#shared/adapters/local/sandbox/session-record.ts';
import { ClientServers } from '#shared/adapters/open/mcp-client-servers.ts';
import { ClientTools, serversOfTask } from '#shared/adapters/open/mcp-client-tools.ts';
import { McpTools } from '#shared/adapters/open/mcp-tools.ts';
import { HcaFault } from '#shared/contracts/errors.ts';
import { HolarchyFile } from '#shared/contracts/holon.ts';
import { checkHolarchy } from '#shared/domain/holarchy.ts';
import type { WorkspaceStore } from '#shared/ports/workspaces.ts';
import { type House, TENANT } from './door.ts';
import { createRuntime, type Outside, type Runtime } from './runtime.ts';
import { sessionsInUse } from './sessions-in-use.ts';
import { type Sweepable, sweepHome } from './sweep-home.ts';

/** `config`: another holarchy file than the default one; read only when the home has none yet. */
export interface HouseOptions {
  home: string;
  durable?: 'normal' | 'full';
  config?: string;
}

/** An open house; `close` ends everything that it started. */
export interface OpenHouse extends House {
  runtime: Runtime;
  close(): Promise<void>;
}

/** Opens the house, clears what a crash left behind, and goes on with every open task. @throws HcaFault */
export const openHouse = async (options: HouseOptions): Promise<OpenHouse> => {
  const outside = outsideOf(options.home);
  const runtime = createRuntime({
    folder: options.home,
    durable: options.durable ?? 'normal',
    outside: (storage) => withClients(outside, storage),
  });
  try {
    await seed(runtime, options.config);
    await outside.workspaces.recover();
    runtime.storage.sessions.forgetConnections();
    await outside.sandbox.sweep(await sessionsInUse(TENANT, runtime.ports.tasks));
  } catch (error) {
    await runtime.close();
    throw error;
  }
  runtime.start();
  return houseOf(runtime, outside, options.home);
};

/** Tools of a task reach the MCP servers that the editor brought, as far as policy lets them. */
const withClients = (outside: Outside, { sessions }: Pick<Runtime['ports'], 'sessions'>): Outside => ({
  ...outside,
  tools: new ClientTools(outside.tools, new ClientServers(outside.sandbox), serversOfTask(sessions)),
});

type Everything = Outside & Sweepable & { workspaces: WorkspaceStore };

const outsideOf = (home: string): Everything => {
  const workspaces = new FilesWorkspaces(path.join(home, 'workspaces'));
  workspaces.trees.put([]);
  const folder = path.join(home, 'sessions');
  const sandbox = new ProcessSandbox(folder, { trees: workspaces.trees });
  const sessions = { names: () => sessionNames(folder), trees: () => sessionTrees(folder) };
  return {
    workspaces,
    sandbox,
    sessions,
    tools: new McpTools(sandbox),
    profiles: homeProfiles(filesProfiles(packaged('harnesses')), path.join(home, 'harnesses')),
  };
};

/** A file that comes with hca, in the sources and in the bundle alike. */
const packaged = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));

const seed = async (runtime: Runtime, config: string | undefined): Promise<void> => {
  const file = config ?? process.env.HCA_CONFIG ?? packaged('hca.config.yaml');
  await runtime.storage.holons.seed(TENANT, readHolarchy(file));
};

/** Reads and checks a holarchy file. @throws HcaFault HcaBadInput naming the field and the remedy */
export const readHolarchy = (file: string): HolarchyFile => {
  if (!existsSync(file)) throw bad('config', `there is no holarchy file ${file}`, 'name an existing YAML file');
  const parsed = HolarchyFile.safeParse(parseYaml(file));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw bad(
      issue?.path.join('.') ?? 'config',
      `${file}: ${issue?.message ?? 'not a holarchy'}`,
      'correct this field in the file',
    );
  }
  const [problem] = checkHolarchy(parsed.data.holons);
  if (problem !== undefined) throw bad(problem.field, `${file}: ${problem.message}`, problem.remedy);
  return parsed.data;
};

const parseYaml = (file: string): unknown => {
  try {
    return parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw bad(
      'config',
      `${file} is not YAML: ${cause instanceof Error ? cause.message : String(cause)}`,
      'correct the file',
    );
  }
};

const bad = (field: string, message: string, remedy: string): HcaFault =>
  new HcaFault('HcaBadInput', { field, message, remedy });

const houseOf = (runtime: Runtime, outside: Everything, home: string): OpenHouse => ({
  runtime,
  ports: runtime.ports,
  store: outside.workspaces,
  secrets: filesSecrets(path.join(home, 'secrets')),
  dead: { list: () => runtime.storage.bus.deadLetters(), redrive: (id) => runtime.storage.bus.redrive(id) },
  preview: (tenant, asked) => preview(tenant, asked, runtime.ports),
  follow: runtime.follow,
  gc: (keepDays) => sweepHome(runtime, outside, keepDays),
  close: async () => {
    const alive = await sessionsInUse(TENANT, runtime.ports.tasks);
    await runtime.close();
    for (const session of alive) await outside.sandbox.interrupt(session).catch(() => undefined);
  },
});
