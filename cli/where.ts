// What a command's `--workspace` means: with a host of this machine the folder itself, with a host elsewhere its content, handed over, or a folder
// of that host, or a git server's.
import path from 'node:path';
import { snapshotHere } from '#local/snapshot-here.ts';
import type { ParamsIn } from '#shared/contracts/acp.ts';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { App } from './app.ts';
import { handOver } from './hand-over.ts';

/** What was asked for on the command line. */
export interface Wanted {
  workspace: string;
  onHost: boolean;
  git?: string | undefined;
  ref?: string | undefined;
  credential?: string | undefined;
}

type Given = ParamsIn<'_hca/task/submit'>['workspace'];

/** The workspace to name to the door, and the paths that a snapshot taken here left out. @throws HcaFault HcaBadInput */
export const workspaceOf = async (app: App, wanted: Wanted): Promise<{ workspace: Given; skipped: number }> => {
  const { git, ref, credential } = wanted;
  if (git !== undefined) return { workspace: { git: gitOf(git, { ref, credential }) }, skipped: 0 };
  const folder = path.resolve(app.cwd, wanted.workspace);
  if (app.endpoint === undefined || wanted.onHost) return { workspace: folder, skipped: 0 };
  const here = await snapshotHere(app.home, folder);
  const total = new Set(here.entries.map(({ sha256 }) => sha256)).size;
  const say = (text: string): void => {
    if (!app.json) app.screen.line(text);
  };
  const { tree, sent, bytes } = await handOver(await app.door(), here, (so_far) =>
    app.screen.status(
      app.json ? undefined : `handing over: ${so_far.sent} of ${total} contents, ${so_far.bytes} bytes`,
    ),
  );
  app.screen.status();
  say(`Handed over ${sent} of ${total} contents (${bytes} bytes); the rest was there.`);
  return { workspace: { tree, root: here.snapshot.root }, skipped: here.snapshot.skipped_count };
};

const gitOf = (url: string, { ref, credential }: Pick<Wanted, 'ref' | 'credential'>) => {
  if (!URL.canParse(url)) {
    throw new HcaFault('HcaBadInput', {
      message: `"${url}" is no address`,
      field: '--git',
      remedy: 'give an https URL',
    });
  }
  return { url, ...(ref === undefined ? {} : { ref }), ...(credential === undefined ? {} : { credential }) };
};
