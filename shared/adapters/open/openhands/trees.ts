// What a remote session needs of the content store: trees to lay, and a place for what its snapshots hold, so that any process can restore them.
import type { WorkspaceStore, Workspaces } from '#shared/ports/workspaces.ts';

export type Trees = Pick<Workspaces, 'list' | 'read'> & Pick<WorkspaceStore, 'missing' | 'putBlob' | 'putTree'>;
