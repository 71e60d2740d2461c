// Content handed over to the embedded host: the suite of the store on files.
import { FilesWorkspaces } from '#shared/adapters/local/files-workspaces.ts';
import { workspaceStoreSuite } from '../suites/workspace-store.ts';
import { folder } from './sandbox/folders.ts';

workspaceStoreSuite('in a folder', async () => ({
  workspaces: new FilesWorkspaces(folder('store')),
  close: async () => undefined,
}));
