// Tables of ACP sessions. A released step of a migration is never edited.

/** Second step of the stores. `open` marks the one turn that keeps further prompts out, `stage` whether anything is left to do. */
export const SESSION_TABLES: readonly string[] = [
  `CREATE TABLE acp_connections (
    tenant TEXT NOT NULL, id TEXT NOT NULL, subject TEXT NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (tenant, id)) STRICT`,
  `CREATE TABLE acp_attachments (
    tenant TEXT NOT NULL, connection TEXT NOT NULL, session TEXT NOT NULL, version INTEGER NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (tenant, connection, session)) STRICT, WITHOUT ROWID`,
  `CREATE TABLE acp_sessions (
    tenant TEXT NOT NULL, subject TEXT NOT NULL, id TEXT NOT NULL, cwd TEXT NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (tenant, subject, id)) STRICT`,
  'CREATE INDEX acp_sessions_cwd ON acp_sessions (tenant, subject, cwd, id)',
  `CREATE TABLE acp_turns (
    tenant TEXT NOT NULL, id TEXT NOT NULL, session TEXT NOT NULL, version INTEGER NOT NULL, open INTEGER NOT NULL,
    over INTEGER NOT NULL, submitted INTEGER NOT NULL, caller TEXT NOT NULL, cancel TEXT, body TEXT NOT NULL,
    PRIMARY KEY (tenant, id)) STRICT`,
  'CREATE UNIQUE INDEX acp_turns_open ON acp_turns (tenant, session) WHERE open = 1',
  'CREATE INDEX acp_turns_unfinished ON acp_turns (tenant, session, id) WHERE over = 0',
  'CREATE INDEX acp_turns_submitted ON acp_turns (tenant, session, id) WHERE submitted = 1',
  'CREATE INDEX acp_turns_session ON acp_turns (tenant, session)',
  'CREATE INDEX acp_turns_caller ON acp_turns (tenant, caller)',
  `CREATE TABLE acp_requests (
    tenant TEXT NOT NULL, id TEXT NOT NULL, turn TEXT NOT NULL, sent_to TEXT, answer TEXT, body TEXT NOT NULL,
    PRIMARY KEY (tenant, id)) STRICT`,
  'CREATE INDEX acp_requests_turn ON acp_requests (tenant, turn, id)',
  `CREATE TABLE acp_grants (
    tenant TEXT NOT NULL, subject TEXT NOT NULL, folder TEXT NOT NULL,
    PRIMARY KEY (tenant, subject, folder)) STRICT, WITHOUT ROWID`,
];

/** What is looked up since: who follows a session, and which turn a task belongs to. */
export const SESSION_LOOKUPS: readonly string[] = [
  'CREATE INDEX acp_attachments_session ON acp_attachments (tenant, session)',
  "CREATE INDEX acp_turns_task ON acp_turns (tenant, json_extract(body, '$.task'))",
];
