// A budget: five integers. 0 means refuse; there is no "unlimited" (pitfall 8). And the ledger of one task (architecture section 8).
import * as z from 'zod';

const amount = z.int().min(0);

/** Micro-dollars, tokens, tool calls, attempts and milliseconds of tool time (L1-DEL-03, L2-PLN-03). */
export const Budget = z.object({
  usd_micros: amount,
  tokens: amount,
  calls: amount,
  attempts: amount,
  time_ms: amount,
});
export type Budget = z.infer<typeof Budget>;

/** The dimensions, for rules that treat all alike. */
export const DIMENSIONS = ['usd_micros', 'tokens', 'calls', 'attempts', 'time_ms'] as const;
export type Dimension = (typeof DIMENSIONS)[number];

/** The stored, final answer to one grant. `returned`: what came back when the child's ledger was closed, null until then. */
export const GrantNote = z.object({ amount: Budget, granted: z.boolean(), returned: Budget.nullable() });
export type GrantNote = z.infer<typeof GrantNote>;

/**
 * One task's ledger. `open`: reservations that are neither committed nor released; `done`: keys of those that are, and of what was spent
 * at once; `grants`: by key, what children asked of this ledger; `parent`: the keys under which this ledger got its own budget;
 * `granted_to_children` is net of what came back; `returned`: what went back to the parent at closing.
 */
export const Ledger = z.object({
  task: z.string(),
  parent: z.object({ task: z.string(), keys: z.array(z.string()) }).nullable(),
  granted: Budget,
  committed: Budget,
  open: z.record(z.string(), Budget),
  done: z.array(z.string()),
  granted_to_children: Budget,
  grants: z.record(z.string(), GrantNote),
  closed: z.boolean(),
  returned: Budget,
});
export type Ledger = z.infer<typeof Ledger>;
