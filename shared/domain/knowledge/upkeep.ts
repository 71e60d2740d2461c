// What becomes of a lesson: credit and blame, confirmation, contradiction, decay, retirement, rollback. Each is the next version, or null when
// nothing changes (L3-KBS-03; pitfall 46). Pure: the caller stores the version, keyed by its cause, so that an event counts once.
import type { Lesson, LessonChange, LessonCredit, Trust } from '#shared/contracts/lesson.ts';

const DAY_MS = 86_400_000;
/** A lesson that nothing used for so long, and that nobody confirmed, is retired. */
export const UNUSED_MS = 180 * DAY_MS;
/** Hurt this often, and more often than it helped: retired. */
const TOO_OFTEN = 2;

type Event = Pick<LessonChange, 'cause' | 'at'>;

/** The version after a task used it: counted, and trusted or distrusted by what the verdict said. */
export const credited = (lesson: Lesson, { outcome }: Pick<LessonCredit, 'outcome'>, event: Event): Lesson => {
  const { used, helped, hurt } = lesson.outcomes;
  const outcomes = {
    used: used + 1,
    helped: helped + (outcome === 'helped' ? 1 : 0),
    hurt: hurt + (outcome === 'hurt' ? 1 : 0),
  };
  const trust = trustAfter({ ...lesson, outcomes }, outcome);
  const why = outcome === 'none' ? 'used, without effect on the outcome' : `${outcome} a task that used it`;
  return next(
    lesson,
    { outcomes, trust, retrieved: true },
    { ...event, why: trust === lesson.trust ? why : `${why}: now ${trust}` },
  );
};

/** The first time that a plan finds it; later times say nothing new, and make no version. */
export const seen = (lesson: Lesson, event: Event): Lesson | null =>
  lesson.retrieved ? null : next(lesson, { retrieved: true }, { ...event, why: 'a plan found it' });

/** Another task, of another root, taught the same: `provisional` becomes `confirmed`; one that was only forgotten comes back. */
export const supported = (head: Lesson, member: Pick<Lesson, 'id' | 'task_id'>, event: Event): Lesson | null => {
  if (rootOf(member.task_id) === rootOf(head.task_id)) return null;
  if (head.trust === 'provisional')
    return next(head, { trust: 'confirmed' }, { ...event, why: `confirmed by ${member.id} of an independent task` });
  if (head.trust === 'retired' && head.change.cause.startsWith(UNUSED))
    return next(head, { trust: 'provisional' }, { ...event, why: `${member.id} teaches the same again` });
  return null;
};

/** Linked to a lesson that says the opposite of the same situation. */
export const contradicted = (lesson: Lesson, by: string, event: Event): Lesson | null =>
  lesson.contradicts.includes(by) || lesson.contradicts.length >= 16
    ? null
    : next(lesson, { contradicts: [...lesson.contradicts, by] }, { ...event, why: `contradicted by ${by}` });

/** Time has passed: what is provisional and was not used for long retires. */
export const decayed = (lesson: Lesson, now: number): Lesson | null => {
  const isForgotten = lesson.trust === 'provisional' && now - lastMoved(lesson) > UNUSED_MS;
  const event = { cause: `${UNUSED}${lesson.version}`, at: now };
  return isForgotten ? next(lesson, { trust: 'retired' }, { ...event, why: 'not used for 180 days' }) : null;
};

/** A person's word: confirms or retires whatever it was. */
export const decided = (lesson: Lesson, trust: 'confirmed' | 'retired', change: LessonChange): Lesson | null =>
  lesson.trust === trust ? null : next(lesson, { trust }, change);

/** What an earlier version said, as the newest version; counts stay, they are facts. */
export const rolledBack = (newest: Lesson, earlier: Lesson, change: LessonChange): Lesson => ({
  ...earlier,
  outcomes: newest.outcomes,
  retrieved: newest.retrieved,
  version: newest.version + 1,
  change,
});

/** When it was made, or last did anything. */
export const lastMoved = ({ created_at, change }: Lesson): number => Math.max(created_at, change.at);

const UNUSED = 'unused:';

const next = (lesson: Lesson, parts: Partial<Lesson>, change: LessonChange): Lesson => ({
  ...lesson,
  ...parts,
  version: lesson.version + 1,
  change: { ...change, why: change.why.slice(0, 500) },
});

const trustAfter = ({ trust, outcomes }: Lesson, outcome: LessonCredit['outcome']): Trust => {
  const isHurtful = outcomes.hurt >= TOO_OFTEN && outcomes.hurt > outcomes.helped;
  if (trust === 'retired' || trust === 'quarantined') return trust;
  if (isHurtful) return 'retired';
  if (outcome === 'hurt' && outcomes.hurt >= outcomes.helped) return 'provisional';
  return outcome === 'helped' ? 'confirmed' : trust;
};

/** Ids begin with their root's 26 characters (ids.ts). */
const rootOf = (task: string): string => task.slice(0, 26);
