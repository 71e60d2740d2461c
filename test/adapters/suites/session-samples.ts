// ACP sessions, turns, requests and attachments as the suite of the port uses them.
import {
  type AcpRequest,
  type AcpSession,
  type AcpTurn,
  type Attachment,
  SessionOptions,
} from '#shared/contracts/acp-session.ts';
import { rootId, TENANT } from './samples.ts';

export const OWNER = { tenant: TENANT, subject: 'owner' };
export const OTHER = { tenant: TENANT, subject: 'other' };
export const SESSION = rootId(1);
export const caller = { connection: 'c1', rpc: 7 };

export const session = (id: string, more: Partial<AcpSession> = {}): AcpSession => ({
  ...OWNER,
  id,
  cwd: '/w',
  title: null,
  options: SessionOptions.parse({}),
  servers: [],
  opened_at: 1,
  updated_at: 1,
  ...more,
});

export const turn = (id: string, more: Partial<AcpTurn> = {}): AcpTurn => ({
  tenant: TENANT,
  session: SESSION,
  id,
  version: 1,
  caller,
  text: 'take the turn',
  given: {},
  task: id,
  submitted: false,
  questions: 0,
  servers: [],
  stage: 'new',
  open: true,
  cancel: null,
  claimed_until: 0,
  at: 1,
  ...more,
});

export const request = (id: string): AcpRequest => ({
  tenant: TENANT,
  id,
  session: SESSION,
  turn: rootId(2),
  method: 'session/request_permission',
  params: { a: 1 },
  deadline: 9,
  sent_to: null,
  answer: null,
});

export const attachment: Attachment = {
  tenant: TENANT,
  connection: 'c1',
  session: SESSION,
  version: 1,
  claimed_until: 0,
  position: { session: '', tasks: [] },
};
