// Which ACP method does what: one row each, with its params, the scope it needs, and the answer (protocols 5.1).

import type { Scope } from '#shared/contracts/acp-host.ts';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { FrameId } from '#shared/protocols/acp/frame.ts';
import * as params from '#shared/protocols/acp/params.ts';
import { checkSessions, spend } from '../limits.ts';
import { cancelRequest, cancelSession } from './cancel.ts';
import { setMode, setOption } from './choose.ts';
import { authenticate, greet } from './greet.ts';
import { closeSession, deleteSession, listSessions, loadSession, newSession, resumeSession } from './lifecycle.ts';
import { allow, type Peer } from './peer.ts';
import { prompt } from './prompt.ts';

/** The answer comes later, from the journal. */
export const LATER = Symbol('later');

type Run = (params: unknown, peer: Peer, id: FrameId) => Promise<unknown>;

interface Schema<P> {
  safeParse(
    value: unknown,
  ): { success: true; data: P } | { success: false; error: { issues: { path: PropertyKey[]; message: string }[] } };
}

/** `scope` null: anybody whom the transport let in. */
const row =
  <P>(schema: Schema<P>, scope: Scope | null, run: (params: P, peer: Peer, id: FrameId) => Promise<unknown>): Run =>
  async (given, peer, id) => {
    if (scope !== null) allow(peer, scope, 'this method');
    const read = schema.safeParse(given ?? {});
    if (read.success) return run(read.data, peer, id);
    const [issue] = read.error.issues;
    const field = issue?.path.map(String).join('.') || 'params';
    throw new HcaFault('HcaBadInput', { message: `${field}: ${issue?.message ?? 'not as declared'}`, field });
  };

export const initialize: Run = row(params.Initialize, 'read', greet);

export const METHODS: ReadonlyMap<string, Run> = new Map([
  ['authenticate', row(params.Authenticate, null, authenticate)],
  [
    'session/new',
    row(params.NewSession, 'submit', async (given, peer) => {
      await checkSessions(peer.door, peer.principal);
      return newSession(given, peer);
    }),
  ],
  ['session/load', row(params.LoadSession, 'read', loadSession)],
  ['session/resume', row(params.LoadSession, 'read', resumeSession)],
  ['session/list', row(params.ListSessions, 'read', listSessions)],
  ['session/close', row(params.NamedSession, 'submit', closeSession)],
  ['session/delete', row(params.NamedSession, 'submit', deleteSession)],
  ['session/set_config_option', row(params.SetOption, 'submit', setOption)],
  ['session/set_mode', row(params.SetMode, 'submit', setMode)],
  [
    'session/prompt',
    row(params.Prompt, 'submit', async (given, peer, id) => {
      await spend(peer.door, peer.principal, 'prompt');
      await prompt(given, peer, id);
      return LATER;
    }),
  ],
]);

export const NOTIFICATIONS: ReadonlyMap<string, Run> = new Map([
  ['session/cancel', row(params.NamedSession, 'submit', cancelSession)],
  ['$/cancel_request', row(params.CancelRequest, 'submit', cancelRequest)],
]);
