// An editor on this machine and a host elsewhere: what a prompt works on is the editor's folder, so its content is handed over with each prompt, and
// the host writes nothing by itself. Frames are otherwise passed on as they are.
import * as z from 'zod';
import { snapshotHere } from '#local/snapshot-here.ts';
import type { Door } from '#shared/client/door.ts';
import { handOver } from './hand-over.ts';

/** Looks at frames on their way. */
export interface EditorFolders {
  /** A frame of the editor; a prompt comes back with what it works on. @throws nothing: what cannot be handed over is the host's to say */
  outgoing(line: string): Promise<string>;
  /** A frame of the host, which may say what a new session is called. */
  incoming(text: string): void;
}

const Opening = z.object({
  id: z.union([z.string(), z.number()]),
  method: z.literal(['session/new', 'session/load', 'session/resume']),
  params: z.object({ cwd: z.string(), sessionId: z.string().optional() }),
});
const Opened = z.object({ id: z.union([z.string(), z.number()]), result: z.object({ sessionId: z.string() }) });
const Meta = z.looseObject({ hca: z.looseObject({ task: z.looseObject({}).default({}) }).default({ task: {} }) });
const Prompt = z.looseObject({
  method: z.literal('session/prompt'),
  params: z.looseObject({
    sessionId: z.string(),
    prompt: z.array(z.looseObject({ text: z.string().optional() })),
    _meta: Meta.nullish(),
  }),
});

/** `home` keeps what was read of a folder, so that the next prompt reads only what changed. */
export const editorFolders = (door: Door, home: string, warn: (text: string) => void): EditorFolders => {
  const asked = new Map<string | number, string>();
  const folders = new Map<string, string>();
  const handed = async (folder: string) => {
    const here = await snapshotHere(home, folder);
    const { tree } = await handOver(door, here, () => undefined);
    return { tree, root: here.snapshot.root };
  };
  const taken = async (line: string, prompt: z.infer<typeof Prompt>, folder: string): Promise<string> => {
    try {
      return JSON.stringify(withWorkspace(prompt, await handed(folder)));
    } catch (error) {
      warn(`${folder} was not handed over: ${error instanceof Error ? error.message : String(error)}`);
      return line;
    }
  };
  return {
    outgoing: async (line) => {
      const frame = parse(line);
      const opening = Opening.safeParse(frame).data;
      if (opening !== undefined) note(opening, { asked, folders });
      const prompt = Prompt.safeParse(frame).data;
      const folder = folders.get(prompt?.params.sessionId ?? '');
      if (prompt === undefined || folder === undefined || isCommand(prompt)) return line;
      return taken(line, prompt, folder);
    },
    incoming: (text) => {
      if (asked.size === 0) return;
      const opened = Opened.safeParse(parse(text)).data;
      const folder = opened === undefined ? undefined : asked.get(opened.id);
      if (opened === undefined || folder === undefined) return;
      asked.delete(opened.id);
      folders.set(opened.result.sessionId, folder);
    },
  };
};

type Known = { asked: Map<string | number, string>; folders: Map<string, string> };

const note = ({ id, params }: z.infer<typeof Opening>, { asked, folders }: Known): void => {
  if (params.sessionId === undefined) asked.set(id, params.cwd);
  else folders.set(params.sessionId, params.cwd);
};

/** A command asks about a task or does something with it; it begins none. */
const isCommand = ({ params }: z.infer<typeof Prompt>): boolean =>
  params.prompt
    .map(({ text = '' }) => text)
    .join('\n')
    .trim()
    .startsWith('/');

/** What the editor itself said about the task counts more. */
const withWorkspace = (prompt: z.infer<typeof Prompt>, workspace: { tree: string; root: string }) => {
  const meta = prompt.params._meta ?? Meta.parse({});
  const task = { workspace, ...meta.hca.task };
  return { ...prompt, params: { ...prompt.params, _meta: { ...meta, hca: { ...meta.hca, task } } } };
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
