// What changed in a repository of a session, as the git part of an agent-server says it; git runs in the session, like any other command.
import path from 'node:path';
import type { ServedBash } from './sandbox-server-bash.ts';
import { Refused } from './sandbox-server-refusal.ts';

/** As the server's own schema has it (1.44); the client's written types name the words otherwise. `path` is relative to the folder. */
export interface GitChange {
  path: string;
  status: 'MOVED' | 'ADDED' | 'DELETED' | 'UPDATED';
}

export interface GitDiff {
  modified: string | null;
  original: string | null;
}

/** Exit code of our scripts for a folder that is in no repository. */
const NO_REPOSITORY = 10;

/** A file larger than this (bytes) has no diff to show. */
const SHOWN_BYTES = 1024 * 1024;

export class ServedGit {
  readonly #bash: ServedBash;

  constructor(bash: ServedBash) {
    this.#bash = bash;
  }

  /** Sorted by path; a folder that is no repository has no changes. */
  async changes(folder: string, ref: string | null): Promise<GitChange[]> {
    const script = `${preludeOf(ref)}git --no-pager diff --name-status --no-renames -z "$ref" && printf '\\036' && git ls-files --others --exclude-standard -z`;
    const { exit_code, stdout } = await this.#bash.capture(folder, script);
    if (exit_code === NO_REPOSITORY) return [];
    if (exit_code !== 0) throw new Refused(400, 'git could not compare this folder; is the ref right?');
    const [tracked = '', untracked = ''] = stdout.split('\x1e');
    const words = tracked.split('\0');
    const changed = words.flatMap((status, at): GitChange[] =>
      at % 2 === 0 && status !== '' ? [{ status: STATUS[status] ?? 'UPDATED', path: words[at + 1] ?? '' }] : [],
    );
    const added = untracked.split('\0').filter((name) => name !== '');
    const all = [...changed, ...added.map((name): GitChange => ({ status: 'ADDED', path: name }))];
    return all.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** Both texts without a line break at their end; null where there is nothing to compare. */
  async diff(file: string, ref: string | null): Promise<GitDiff> {
    const name = quoted(`./${path.basename(file)}`);
    const script = `[ -f ${name} ] && [ "$(wc -c <${name})" -le ${SHOWN_BYTES} ] || exit ${NO_REPOSITORY}
${preludeOf(ref)}git show "$ref":${name} 2>/dev/null | base64 -w0; echo; base64 -w0 <${name}`;
    const { exit_code, stdout } = await this.#bash.capture(path.dirname(file), script);
    if (exit_code !== 0) return { modified: null, original: null };
    const [original = '', modified = ''] = stdout.split('\n');
    return { modified: textOf(modified), original: textOf(original) };
  }

  /** The change of a folder as a patch for `git apply`, new files included; the repository's own index is not touched. */
  async delta(folder: string, ref: string | null): Promise<string> {
    const script = `${preludeOf(ref)}GIT_INDEX_FILE=$(mktemp -u) && export GIT_INDEX_FILE && trap 'rm -f "$GIT_INDEX_FILE"' EXIT
git read-tree "$ref" && git add -A -- . ${EXCLUDED} && git diff --binary --cached "$ref" -- .`;
    const { exit_code, stdout } = await this.#bash.capture(folder, script);
    if (exit_code === NO_REPOSITORY) throw new Refused(400, 'Not a git repository');
    if (exit_code !== 0) throw new Refused(400, 'git could not make the patch; is base_ref right?');
    return stdout;
  }
}

const STATUS: Readonly<Record<string, GitChange['status']>> = {
  A: 'ADDED',
  D: 'DELETED',
  M: 'UPDATED',
  T: 'UPDATED',
  U: 'UPDATED',
};

/** Folders that only make a patch large. */
const EXCLUDED = ['node_modules', '.venv', 'venv', '__pycache__', 'dist', 'build', 'target', '.next']
  .map((name) => `':(exclude)**/${name}/**' ':(exclude)${name}/**'`)
  .join(' ');

const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** Sets `ref`: the given one, else where the branch comes from, else the tree of no files. */
function preludeOf(ref: string | null): string {
  if (ref?.startsWith('-') === true) throw new Refused(400, 'a ref does not begin with "-"');
  const own = `$(git rev-parse -q --verify '@{upstream}' 2>/dev/null || git merge-base HEAD origin/HEAD 2>/dev/null || echo ${EMPTY_TREE})`;
  return `git rev-parse --git-dir >/dev/null 2>&1 || exit ${NO_REPOSITORY}\nref=${ref === null ? own : quoted(ref)}\n`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

const textOf = (base64: string): string => Buffer.from(base64, 'base64').toString('utf8').replace(/\n$/, '');
