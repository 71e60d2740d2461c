// What of the host a command may see: a scrubbed environment and the folders of its tools, nothing else (architecture 11).
import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join } from 'node:path';

/** Folders of tools: `path` for the PATH, `show` for the mounts that those tools need. */
export type HostTools = { path: string[]; show: string[] };

/**
 * Tool folders of the host's PATH without those of any npm script (`node_modules/.bin`), so that a workspace gets its own
 * tools and never hca's. `more` are folders to show beside them.
 * When no Node is left, the one that runs hca is added at the end.
 */
export function hostTools(
  more: readonly string[] = [],
  env: Readonly<Record<string, string | undefined>> = process.env,
): HostTools {
  const listed = (env.PATH ?? '').split(delimiter).filter(isAbsolute);
  const path = [...new Set(listed)].filter(
    (folder) => !/node_modules\/(\.bin|node\/bin)$|node-gyp-bin$/.test(folder) && existsSync(folder),
  );
  if (!path.some((folder) => existsSync(join(folder, 'node')))) path.push(dirname(process.execPath));
  const show = path.flatMap((folder) => [folder, ...realFolders(folder)]).flatMap(prefixOf);
  return { path, show: [...new Set([...show, ...more])].sort() };
}

/** The whole environment of a command. `first` are folders of the workspace's own tools. */
export function scrubbedEnvironment(
  tools: HostTools,
  session: { home: string; tmp: string; first: readonly string[] },
): Record<string, string> {
  return {
    PATH: [...session.first, ...tools.path].join(delimiter),
    HOME: session.home,
    TMPDIR: session.tmp,
    LANG: 'C.UTF-8',
    CI: 'true',
    NO_COLOR: '1',
  };
}

function realFolders(folder: string): string[] {
  const node = join(folder, 'node');
  const found = existsSync(node) ? [dirname(realpathSync(node))] : [];
  return [realpathSync(folder), ...found];
}

/**
 * What is beside a `bin` is shown only when it is an installation (it has libraries) or pyenv's shims; a folder that may hold
 * a person's credentials too (`~/.cargo`, `~/.local`, a home) is never shown for the sake of its `bin`.
 */
function prefixOf(folder: string): string[] {
  const prefix = dirname(folder);
  const isHome = prefix === homedir() || dirname(prefix) === '/' || prefix.endsWith('/.local');
  const installed = folder.endsWith('/shims') || (folder.endsWith('/bin') && existsSync(join(prefix, 'lib')));
  return installed && !isHome ? [prefix] : [folder];
}
