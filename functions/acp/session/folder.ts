// The folder a session's prompts work on: its own, unless the client handed content over beside the text, or named a git server.

import type { AcpSession, AcpTurn } from '#shared/contracts/acp-session.ts';
import { GivenWorkspace } from '#shared/contracts/acp-workspace.ts';

/** A path beside the text does not count: a session is one folder. */
export const folderOf = (turn: AcpTurn, session: AcpSession): GivenWorkspace => {
  const given = GivenWorkspace.safeParse(turn.given.workspace).data;
  return typeof given === 'object' && !('path' in given) ? given : session.cwd;
};
