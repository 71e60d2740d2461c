// What a lane may do at most, whatever the policy says, and how entries are ranked for a text (harness layers 3 and 4).
import type { SideEffect } from '#shared/contracts/policy.ts';
import type { ToolEntry } from '#shared/ports/tools.ts';

/** Ceiling of each lane; a lane that is not here may do nothing. A reviewer runs checks in a session of its own. */
export const LANES: Readonly<Record<string, SideEffect>> = {
  'main-chat': 'read_only',
  'summary-scout': 'read_only',
  planner: 'read_only',
  worker: 'credential_sensitive',
  reviewer: 'local_write',
};

/** Share of the text's words that occur in an entry's name (counted double) or description; best first, none without a hit. */
export function rankEntries(entries: readonly ToolEntry[], text: string): { entry: ToolEntry; score: number }[] {
  const wanted = [...new Set(words(text))];
  const scored = entries.map((entry) => ({ entry, score: scoreOf(entry, wanted) }));
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.entry.tool < b.entry.tool ? -1 : 1));
}

function scoreOf(entry: ToolEntry, wanted: readonly string[]): number {
  const [name, description] = [new Set(words(entry.tool)), new Set(words(entry.description))];
  const hits = wanted.map((word) => (name.has(word) ? 2 : 0) + (description.has(word) ? 1 : 0));
  return wanted.length === 0 ? 0 : hits.reduce((sum, hit) => sum + hit, 0) / (3 * wanted.length);
}

/** Lower case, without a plural's or a third person's s. */
function words(text: string): string[] {
  return (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).map((word) => word.replace(/(?<=.{3})s$/, ''));
}
