// Messages of ACP v1 as we send them; their shapes are the official SDK's, so a field that the protocol does not know does not compile.
import type * as acp from '@agentclientprotocol/sdk';

export type SessionUpdate = acp.SessionUpdate;
export type InitializeResponse = acp.InitializeResponse;
export type ToolCallContent = acp.ToolCallContent;
export type PermissionRequest = acp.RequestPermissionRequest;

/** A request of ours; `id` is one of our own stores, so that any process knows its answer. */
export interface RequestOut {
  jsonrpc: '2.0';
  id: string;
  method: 'session/request_permission' | 'elicitation/create' | 'fs/read_text_file' | 'fs/write_text_file';
  params: Record<string, unknown>;
}

/** A notification about a session. */
export interface UpdateOut {
  jsonrpc: '2.0';
  method: 'session/update';
  params: acp.SessionNotification;
}

export const PROTOCOL_VERSION = 1 satisfies typeof acp.PROTOCOL_VERSION;

/** Codes of ACP beside the standard ones. */
export const ACP_ERROR = { not_found: -32002, cancelled: -32800 } as const;

/** The frame of an update. */
export const updateFrame = (sessionId: string, update: SessionUpdate): UpdateOut => ({
  jsonrpc: '2.0',
  method: 'session/update',
  params: { sessionId, update },
});
