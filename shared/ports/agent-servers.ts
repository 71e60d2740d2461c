// Port: which remote agent-server a sandbox session lives on. One server for all, or one started for each session (architecture 9 Sandbox).

/** How to reach a server. `network`: whether what runs there reaches a network, where whoever started it knows. The key is a secret. */
export type AgentServer = { url: string; key: string; network?: boolean };

export interface AgentServers {
  /** The server of a session; started when it has none, so it may take minutes. Idempotent by id. @throws HcaFault HcaUnavailable, HcaThrottled */
  claim(session: { id: string; network: boolean }): Promise<AgentServer>;
  /** Null when the session has none. */
  find(id: string): Promise<AgentServer | null>;
  /** The session has ended; a server that is nobody else's ends with it. Releasing what is not there does nothing. */
  release(id: string): Promise<void>;
  /** Every server that sessions may be left on. */
  all(): Promise<AgentServer[]>;
}
