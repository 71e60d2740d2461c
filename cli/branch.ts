// `hca apply --branch`: the change as a commit on a new branch of the person's own repository. Works on git's object store and an index of
// its own, so neither the working tree nor the person's index is touched. Needs git, and says so where there is none.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Door } from '#shared/client/door.ts';
import { EXIT, HcaFault } from '#shared/contracts/errors.ts';
import type { ChangeSet, FileChange, FileState } from '#shared/contracts/workspace.ts';
import type { App } from './app.ts';
import { changesOf } from './change-set.ts';

export interface BranchOptions {
  task: string;
  name: string;
  unaccepted: boolean;
}

/** @throws HcaFault HcaRefused when the branch exists or HEAD has other content than the change was made for. */
export const makeBranch = async (app: App, door: Door, options: BranchOptions): Promise<number> => {
  const view = await door.call('_hca/task/get', { task: options.task });
  if (view.outcome !== 'accepted' && !options.unaccepted) throw notAccepted(view.outcome);
  if (view.artifact === null || view.workspace === null)
    throw refused('this task has made no change', 'hca status shows how far it came');
  const changes = await changesOf(door, view.artifact);
  const made = await commitOn(view.workspace, changes, {
    name: options.name,
    message: `${view.goal}\n\nhca task ${view.task}`,
  });
  if (app.json)
    app.document({
      task: view.task,
      branch: options.name,
      commit: made,
      files: changes.files.map((file) => file.path),
    });
  else
    app.screen.line(
      `Branch ${options.name} has the change (${made.slice(0, 10)}); your files are as they were. git diff HEAD...${options.name}`,
    );
  return EXIT.accepted;
};

const commitOn = async (
  folder: string,
  changes: ChangeSet,
  wanted: { name: string; message: string },
): Promise<string> => {
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'hca-index-'));
  const git = gitIn(folder, path.join(scratch, 'index'));
  try {
    const prefix = (await git(['rev-parse', '--show-prefix'])).trim();
    await git(['check-ref-format', '--branch', wanted.name]);
    const head = (await git(['rev-parse', '--verify', 'HEAD^{commit}'])).trim();
    for (const file of changes.files) await checkBase(git, head, { file, at: prefix + file.path });
    await git(['read-tree', head]);
    for (const file of changes.files) await stage(git, prefix + file.path, file.after);
    const tree = (await git(['write-tree'])).trim();
    const commit = (await git(['commit-tree', tree, '-p', head, '-F', '-'], wanted.message)).trim();
    await git(['update-ref', `refs/heads/${wanted.name}`, commit, '0'.repeat(commit.length)]);
    return commit;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
};

type Git = (args: readonly string[], stdin?: string | Buffer) => Promise<string>;

/** What is committed must be what the change was made for: else the branch would silently undo or include other edits. */
const checkBase = async (git: Git, head: string, { file, at }: { file: FileChange; at: string }): Promise<void> => {
  const listed = (await git(['ls-tree', head, '--', at])).trim();
  const isThere = listed !== '';
  const found = isThere ? await shaOf(git, listed.split(/\s+/)[2] ?? '') : undefined;
  if (found === file.before?.sha256) return;
  throw refused(
    `${file.path} is not committed as the change found it`,
    'commit your work, then run the task again; or use hca apply --3way',
  );
};

const shaOf = async (git: Git, blob: string): Promise<string> =>
  createHash('sha256')
    .update(Buffer.from(await git(['cat-file', 'blob', blob]), 'latin1'))
    .digest('hex');

const MODE = { file: '100644', exec: '100755', link: '120000' } as const;

const stage = async (git: Git, at: string, after: FileState | null): Promise<void> => {
  if (after === null) {
    await git(['update-index', '--force-remove', '--', at]);
    return;
  }
  const content = after.text === undefined ? Buffer.from(after.base64 ?? '', 'base64') : Buffer.from(after.text);
  const blob = (await git(['hash-object', '-w', '--stdin'], content)).trim();
  await git(['update-index', '--add', '--cacheinfo', `${MODE[after.mode]},${blob},${at}`]);
};

/** Who made the commit: hca, and it works where nobody has told git a name yet. */
const AUTHOR = {
  GIT_AUTHOR_NAME: 'hca',
  GIT_AUTHOR_EMAIL: 'hca@localhost',
  GIT_COMMITTER_NAME: 'hca',
  GIT_COMMITTER_EMAIL: 'hca@localhost',
};

/** Runs git in a folder with an index of its own; output is bytes, read as latin1 so that nothing is lost. */
const gitIn =
  (cwd: string, index: string): Git =>
  (args, stdin) =>
    new Promise((resolve, reject) => {
      const env = { ...process.env, GIT_INDEX_FILE: index, ...AUTHOR };
      const options = { cwd, env, encoding: 'latin1' as const, maxBuffer: 256 * 1024 * 1024 };
      const child = execFile('git', [...args], options, (error, stdout, stderr) => {
        if (error === null) resolve(stdout);
        else reject(gitFault(error, stderr));
      });
      child.stdin?.on('error', () => undefined);
      child.stdin?.end(stdin ?? '');
    });

const gitFault = (error: Error, stderr: string): HcaFault => {
  if ('code' in error && error.code === 'ENOENT')
    return refused('git is not installed here, and --branch needs it', 'install git, or use hca apply');
  const said = stderr.trim().split('\n')[0] ?? error.message;
  if (/not a git repository/.test(said))
    return refused('the workspace is no git repository', 'use hca apply without --branch');
  return refused(`git: ${said}`, 'choose another branch name, or use hca apply');
};

const notAccepted = (outcome: string): HcaFault =>
  refused(
    `the change was not accepted by a review: the task is ${outcome}`,
    'look at it with hca diff, then add --unaccepted',
  );

const refused = (message: string, remedy: string): HcaFault =>
  new HcaFault('HcaRefused', { message, field: 'branch', remedy });
