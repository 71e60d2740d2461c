// A host that is killed in the middle of its work: two sessions, long commands in one of them.
import { join } from 'node:path';
import { FilesWorkspaces } from '#shared/adapters/local/files-workspaces.ts';
import { ProcessSandbox } from '#shared/adapters/local/process-sandbox.ts';

const [home = '', root = '', bubblewrap = ''] = process.argv.slice(2);
const workspaces = new FilesWorkspaces(join(home, 'snapshots'));
const sandbox = new ProcessSandbox(join(home, 'sessions'), {
  trees: workspaces.trees,
  bubblewrap: bubblewrap === 'true',
});
const { tree } = await workspaces.take(root);
for (const id of ['kept', 'dropped']) await sandbox.open({ id, tree, workspace: root, network: false });
await sandbox.run('dropped', { command: 'sleep 500 & sleep 501', timeout_ms: 600_000, output_bytes: 1000 });
