// Beyond relevance: trust, outcomes and age as bounded factors. None of them alone can lift what hardly matches over what matches
// well: all together span 0.85 * 0.8 * 0.9 = 0.61 to 1.2 among what may be used (L3-KBQ-04).
import type { Attributes, Trust } from './index-entry.ts';

const TRUST_FACTORS: Readonly<Record<Trust, number>> = {
  retired: 0.3,
  quarantined: 0.5,
  provisional: 0.85,
  confirmed: 1,
};

const DAY = 86_400_000;
const HALF_LIFE = 90 * DAY;
/** A lesson of any age keeps at least this share. */
const OLDEST = 0.9;

type Counted = Pick<Attributes, 'trust' | 'used' | 'helped' | 'hurt'>;

/** Trust times outcome: what does not change with time. */
export const standingOf = (row: Counted): number => trustFactor(row.trust) * outcomeFactor(row);

export const trustFactor = (trust: Trust): number => TRUST_FACTORS[trust];

/**
 * 0.8 (only hurt) to 1.2 (only helped), 1 for what was never used: the share of helped, smoothed by one success and one failure.
 * A use that neither helped nor hurt counts a quarter of a failure.
 */
export const outcomeFactor = ({ used, helped, hurt }: Counted): number => {
  const idle = Math.max(0, used - helped - hurt);
  return 0.8 + (0.4 * (helped + 1)) / (helped + hurt + idle / 4 + 2);
};

/** 1 for what is new (or claims to come from the future), half way down to OLDEST after 90 days. Milliseconds. */
export const recencyFactor = (createdAt: number, now: number): number =>
  OLDEST + (1 - OLDEST) * 2 ** (-Math.max(0, now - createdAt) / HALF_LIFE);
