// Progress and the sameness of failures: what tells a long honest chain from a loop (harness layer 6; pitfall 1; requirements section 3).
import { sha256Hex } from '#shared/domain/digest.ts';

/** Iterations in a row without progress that count as "no progress". */
const STALLED_AFTER = 2;

/** What is left of a failure once everything that differs between two runs of the same one is taken out. */
export interface Failure {
  reason: string;
  unmet: readonly string[];
  detail: string;
}

/** Criteria that became met minus criteria that became unmet; 0 or less is no progress. */
export function measureProgress(before: { unmet: readonly string[] }, after: { unmet: readonly string[] }): number {
  return new Set(before.unmet).size - new Set(after.unmet).size;
}

/** True when the last `k` differences are all 0 or less; with fewer than `k` there is nothing to say yet. */
export function isStalled(progress: readonly number[], k: number = STALLED_AFTER): boolean {
  return progress.length >= k && progress.slice(progress.length - k).every((difference) => difference <= 0);
}

/** Names a failure: reason, colon, 16 hex digits over the unmet criteria and the detail without numbers, ids and spacing. */
export function failureSignature(failure: Failure): string {
  const unmet = [...new Set(failure.unmet)].sort();
  const text = JSON.stringify([unmet, steady(failure.detail)]);
  return `${failure.reason}:${sha256Hex(new TextEncoder().encode(text)).slice(0, 16)}`;
}

/** True when both name the same failure; an empty signature names none. */
export const sameFailure = (a: string, b: string): boolean => a !== '' && a === b;

/** Task ids, hashes and numbers (line numbers, durations, counts) differ between two runs of one failure; the words do not. */
function steady(detail: string): string {
  return detail
    .replace(/[0-9A-HJKMNP-TV-Z]{26}[A-Za-z0-9_-]*/g, '#')
    .replace(/\b[0-9a-f]{12,64}\b/g, '#')
    .replace(/\d+(\.\d+)?/g, '#')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}
