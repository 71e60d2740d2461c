// English words that tell no lesson from another. No word here names a thing, a state or an action of software:
// `error`, `fail`, `new`, `use` and `work` are content in a lesson.

const WORDS = `
a about above after again against all also am among an and any are as at be because been before being below between both but by
can could did do does doing during each either few for from further had has have having he her here hers him his how however i if
in into is it its itself just may me might more most must my neither no nor not of off on once only or other our ours out over own
same shall she should since so some such than that the their theirs them then there therefore these they this those through thus to too
toward towards under until up upon us very via was we were what when where whether which while who whom whose why will with within without
would yet you your yours`;

/** Lower-case words that are never indexed nor searched. */
export const STOP_WORDS: ReadonlySet<string> = new Set(WORDS.trim().split(/\s+/));
