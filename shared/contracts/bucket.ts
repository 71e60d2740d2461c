// How the bucket of the cloud host is divided. Artifacts lie under `<tenant>/<task>/<iteration>/<name>/v<version>`; what lies under a prefix of
// its own begins with a character that no tenant begins with. Plain data, read by the adapters and by the stack that makes bucket and grants.

/** Prefixes, each followed by `<tenant>/`. */
export const PREFIXES = {
  /** Trees and content of snapshots. */
  workspaces: '_workspaces/',
  /** Snapshots of the index of lessons; a new one follows every some hundred lessons, the two newest are kept. */
  lessons: '_lessons/',
} as const;

/**
 * Days after which the bucket's own lifecycle rule deletes what lies under `_workspaces/`, counted from the last write. Content older than
 * `resend` counts as missing and is sent again with the next snapshot that has it: so all content of a tree outlives the tree's last write
 * by `expire - resend` days, far longer than a task can run, and nothing needs to be collected.
 */
export const CONTENT_DAYS = { resend: 30, expire: 90 } as const;
