// ACP sessions: everything a connection would otherwise keep in memory, so that any process answers any frame (architecture 2 and 9).
import type { AcpConnection, AcpRequest, AcpSession, AcpTurn, Attachment } from '#shared/contracts/acp-session.ts';

/** Whose sessions: what is another's does not exist. */
export interface Owner {
  tenant: string;
  subject: string;
}

/** Connections, and which sessions each follows. */
export interface Connections {
  /** Stores a connection; saying it again replaces it. */
  connect(connection: AcpConnection): Promise<void>;
  connection(owner: Owner, id: string): Promise<AcpConnection | undefined>;
  /** Forgets a connection and what it followed. */
  disconnect(tenant: string, id: string): Promise<void>;
  /** Follows a session from a position, unclaimed; following again begins there, at a version that nobody has read before. */
  attach(attachment: Omit<Attachment, 'version' | 'claimed_until'>): Promise<void>;
  attachments(tenant: string, connection: string): Promise<Attachment[]>;
  /** Saves version + 1, position and claim on the version that was read. @throws HcaFault HcaConflict when another process was faster. */
  move(attachment: Attachment): Promise<void>;
  detach(tenant: string, connection: string, session: string): Promise<void>;
  /** Connections that follow a session, for whoever has to wake them. */
  followers(tenant: string, session: string): Promise<AcpConnection[]>;
}

/** Turns and the requests that belong to them. */
export interface Turns {
  /** Begins a turn; false when the session has an open one. */
  begin(turn: AcpTurn): Promise<boolean>;
  /** Saves version + 1 on the version that was read; false when another process was faster. The cancel mark is not touched. */
  saveTurn(turn: AcpTurn): Promise<boolean>;
  /** Marks a turn once; the first mark stays. */
  cancelTurn(tenant: string, turn: string, cancel: 'session' | 'request'): Promise<void>;
  /** Turns that are not over, oldest first. */
  unfinished(tenant: string, session: string): Promise<AcpTurn[]>;
  /** The turn that a caller's request began. */
  turnOf(tenant: string, caller: AcpTurn['caller']): Promise<AcpTurn | undefined>;
  /** The turn whose task this is. */
  turnOfTask(tenant: string, task: string): Promise<AcpTurn | undefined>;
  /** The newest turn that submitted a task. */
  lastSubmitted(tenant: string, session: string): Promise<AcpTurn | undefined>;
  /** Stores a request to the client, once. */
  ask(request: AcpRequest): Promise<void>;
  asked(tenant: string, turn: string): Promise<AcpRequest[]>;
  request(tenant: string, id: string): Promise<AcpRequest | undefined>;
  /** Notes who is asked, in place of `from` (null: nobody was); false when somebody else was asked meanwhile. */
  sent(tenant: string, id: string, to: { from: string | null; connection: string }): Promise<boolean>;
  /** Stores the answer of a request, once; false when it has one or was never asked. */
  answer(tenant: string, id: string, answer: NonNullable<AcpRequest['answer']>): Promise<boolean>;
}

export interface Sessions extends Connections, Turns {
  /** Creates or replaces. */
  keep(session: AcpSession): Promise<void>;
  session(owner: Owner, id: string): Promise<AcpSession | undefined>;
  /** Newest first; `before` is the id to go on from. */
  list(owner: Owner, page: { cwd?: string; before?: string; limit: number }): Promise<AcpSession[]>;
  /** Deletes a session with its turns; deleting again is the same. */
  remove(owner: Owner, id: string): Promise<void>;
  /** Whether every accepted change may be written to a folder without asking. */
  allowed(owner: Owner, folder: string): Promise<boolean>;
  allow(owner: Owner, folder: string): Promise<void>;
  /** Takes that back. */
  disallow(owner: Owner, folder: string): Promise<void>;
}
