// How healthy the knowledge is: duplicates, never retrieved, never used, contradicted, kept apart, junk (L3 upkeep; pitfall 46).
import type { Lesson } from '#shared/contracts/lesson.ts';

/** Counts over the newest versions. `junk_rate`: share that is quarantined, retired, or a duplicate that no group holds; 0 to 1. */
export interface Health {
  lessons: number;
  groups: number;
  grouped: number;
  duplicates: number;
  never_retrieved: number;
  never_used: number;
  contradicted: number;
  quarantined: number;
  retired: number;
  confirmed: number;
  junk_rate: number;
}

/** Counts lessons of any number, read once. */
export const healthOf = (lessons: Iterable<Lesson>): Health => {
  const health: Health = { ...NONE };
  const said = new Set<string>();
  for (const lesson of lessons) {
    for (const field of traitsOf(lesson, said)) health[field] += 1;
  }
  const junk = health.quarantined + health.retired + health.duplicates;
  return { ...health, junk_rate: health.lessons === 0 ? 0 : junk / health.lessons };
};

type Count = Exclude<keyof Health, 'junk_rate'>;

const traitsOf = (lesson: Lesson, said: Set<string>): Count[] => [
  'lessons',
  ...(lesson.group === null ? headTraits(lesson, said) : (['grouped'] as const)),
  ...(lesson.contradicts.length > 0 ? (['contradicted'] as const) : []),
  ...(lesson.trust === 'provisional' ? [] : [lesson.trust]),
];

/** Only heads are found, so only among heads of a domain a repeat is a duplicate, and only a head can be used. */
const headTraits = (lesson: Lesson, said: Set<string>): Count[] => {
  const text = `${lesson.domain}|${lesson.family}|${lesson.situation}|${lesson.advice}|${lesson.did_not_work}`;
  const isRepeat = said.has(text);
  said.add(text);
  return [
    'groups',
    ...(isRepeat ? (['duplicates'] as const) : []),
    ...(lesson.retrieved ? [] : (['never_retrieved'] as const)),
    ...(lesson.outcomes.used === 0 ? (['never_used'] as const) : []),
  ];
};

const NONE: Health = {
  lessons: 0,
  groups: 0,
  grouped: 0,
  duplicates: 0,
  never_retrieved: 0,
  never_used: 0,
  contradicted: 0,
  quarantined: 0,
  retired: 0,
  confirmed: 0,
  junk_rate: 0,
};
