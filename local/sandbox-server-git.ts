// What changed in a repository of a session, as the git part of an agent-server says it; git runs in the session, like any other command.
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { ServedBash } from './sandbox-server-bash.ts';
import { BAD_REF, displayRef, excluded, exportRef, NO_REPOSITORY, quoted } from './sandbox-server-git-scripts.ts';
import { Refused } from './sandbox-server-refusal.ts';
import type { ServedSessions } from './sandbox-server-sessions.ts';

/** As the server's own schema has it (1.44); the client's written types name the words otherwise. `path` is relative to the folder. */
export interface GitChange {
  path: string;
  status: 'MOVED' | 'ADDED' | 'DELETED' | 'UPDATED';
}

export interface GitDiff {
  modified: string | null;
  original: string | null;
}

/** Folders and files that only make a patch large, unless they are asked for; `/` at the end: folders alone. */
export const USUAL_EXCLUDES: readonly string[] = [
  ...['.git/', 'node_modules/', '.venv/', 'venv/', '__pycache__/', '.mypy_cache/', '.pytest_cache/', '.ruff_cache/'],
  ...['dist/', 'build/', '.next/', 'target/', '*.pyc'],
];

/** A file larger than this (bytes) has no diff to show. */
const SHOWN_BYTES = 1024 * 1024;

export class ServedGit {
  readonly #bash: ServedBash;
  readonly #sessions: ServedSessions;

  constructor(bash: ServedBash, sessions: ServedSessions) {
    this.#bash = bash;
    this.#sessions = sessions;
  }

  /** Sorted by path; a folder that is no repository, or not there, has no changes. */
  async changes(folder: string, ref: string | null): Promise<GitChange[]> {
    if (!this.#isFolder(folder)) return [];
    const script = `${displayRef(ref)}git --no-pager diff --name-status --no-renames -z "$ref" && printf '\\036' && git ls-files --others --exclude-standard -z`;
    const { exit_code, stdout } = await this.#bash.capture(folder, script);
    if (exit_code === NO_REPOSITORY) return [];
    if (exit_code !== 0) throw badRef(ref);
    const [tracked = '', untracked = ''] = stdout.split('\x1e');
    const words = tracked.split('\0');
    const changed = words.flatMap((status, at): GitChange[] =>
      at % 2 === 0 && status !== '' ? [{ status: STATUS[status] ?? 'UPDATED', path: words[at + 1] ?? '' }] : [],
    );
    const added = untracked.split('\0').filter((name) => name !== '');
    const all = [...changed, ...added.map((name): GitChange => ({ status: 'ADDED', path: name }))];
    return all.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** Both texts without a line break at their end; null where there is no repository. @throws Refused for what is not there or too large */
  async diff(file: string, compared: { ref: string | null; commit: string | null }): Promise<GitDiff> {
    const name = quoted(`./${path.basename(file)}`);
    const { commit, ref } = compared;
    const script = commit === null ? workDiff(name, ref) : commitDiff(name, commit);
    const { exit_code, stdout } = await this.#bash.capture(path.dirname(file), script);
    if (exit_code === NO_REPOSITORY) return { modified: null, original: null };
    if (exit_code === BAD_REF) throw badRef(commit ?? ref);
    if (exit_code === TOO_LARGE) throw new Refused(400, `File too large for git diff (max: ${SHOWN_BYTES} bytes)`);
    if (exit_code !== 0) throw new Refused(400, `File does not exist: ${file}`);
    const [original = '', modified = ''] = stdout.split('\n');
    return { modified: textOf(modified), original: textOf(original) };
  }

  /** The change of a folder as a patch for `git apply`, new files included; the repository's own index is not touched. */
  async delta(
    folder: string,
    { base, excludes }: { base: string | null; excludes: readonly string[] },
  ): Promise<string> {
    if (base?.startsWith('-') === true) throw new Refused(400, "base_ref must not start with '-'");
    const without = excluded(excludes);
    const script = `${exportRef(base)}GIT_INDEX_FILE=$(mktemp -u) && export GIT_INDEX_FILE && trap 'rm -f "$GIT_INDEX_FILE"' EXIT
git read-tree "$ref" && git add -A -- . ${without} && git diff --binary --cached "$ref" -- . ${without}`;
    const { exit_code, stdout } = await this.#bash.capture(folder, script);
    if (exit_code === NO_REPOSITORY) throw new Refused(400, `Not a git repository: Not a git repository: ${folder}`);
    if (exit_code === BAD_REF) throw new Refused(400, `base_ref '${base}' could not be resolved`);
    if (exit_code !== 0) throw new Refused(500, 'git could not make the patch');
    return stdout;
  }

  #isFolder(folder: string): boolean {
    try {
      return existsSync(this.#sessions.place(this.#sessions.at(folder)) ?? '');
    } catch {
      return false;
    }
  }
}

const TOO_LARGE = 12;

const workDiff = (name: string, ref: string | null): string => `[ -f ${name} ] || exit 1
[ "$(wc -c <${name} 2>/dev/null || echo 0)" -le ${SHOWN_BYTES} ] || exit ${TOO_LARGE}
${displayRef(ref)}git show "$ref":${name} 2>/dev/null | base64 -w0; echo; base64 -w0 <${name} 2>/dev/null; exit 0`;

/** What one commit changed, whatever is there now; the first commit changed nothing into something. */
const commitDiff = (name: string, commit: string): string => `${displayRef(commit)}
git show "$ref^":${name} 2>/dev/null | base64 -w0; echo; git show "$ref":${name} 2>/dev/null | base64 -w0; exit 0`;

const badRef = (ref: string | null): Refused =>
  new Refused(400, `Git command failed: git --no-pager rev-parse --verify '${ref ?? 'HEAD'}^{commit}'`);

const STATUS: Readonly<Record<string, GitChange['status']>> = {
  A: 'ADDED',
  D: 'DELETED',
  M: 'UPDATED',
  T: 'UPDATED',
  U: 'UPDATED',
};

const textOf = (base64: string): string => Buffer.from(base64, 'base64').toString('utf8').replace(/\n$/, '');
