// Goals of the no-op house: three levels with one revision, and two children side by side.

/** Root, domain, leaf; the leaf fails its first review. */
export const ROOT_GOAL = 'take the turn';

/** Two leaves below one coordinator, each with a revision. */
export const PAIR_GOAL = 'take the left and take the right';
