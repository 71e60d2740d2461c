// What a way of judging finds, before it is a verdict.
import type { Verdict } from '#shared/contracts/verdict.ts';

/** What a way of judging finds. */
export type Judged = Pick<Verdict, 'result' | 'reason' | 'criteria' | 'mode'>;
