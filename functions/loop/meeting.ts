// Where lessons that say the opposite of one situation meet: places under keys, found without a search, so that all of them are linked, both ways
// (L3 upkeep). Which one leads is decided when they are used.
import { HcaFault } from '#shared/contracts/errors.ts';
import type { Lesson } from '#shared/contracts/lesson.ts';
import { isContradiction, meetingKeys } from '#shared/domain/knowledge/opposition.ts';
import type { Lessons } from '#shared/ports/world.ts';

/**
 * Heads that stand under one key; each stands under up to five. What comes later says nothing that eight others did not say, and is linked by what
 * it finds itself.
 */
const PLACES = 8;
/** Rivals for one place that are outwaited here. */
const ROUNDS = 32;

interface Ports {
  lessons: Lessons;
}

/** Lessons that say the opposite of this one. It takes its own places first: of two that come at once at least one sees the other. */
export const opposites = async (tenant: string, lesson: Lesson, ports: Ports): Promise<Lesson[]> => {
  const { own, opposite } = meetingKeys(lesson);
  if (own.length === 0) return [];
  await stand(tenant, { keys: own, id: lesson.id }, ports);
  const ids = new Set((await standing(tenant, opposite, ports)).flatMap(({ ids }) => ids));
  const others: Lesson[] = [];
  for (const id of ids) {
    const other = await ports.lessons.get(tenant, id);
    if (other !== undefined && isContradiction(lesson, other)) others.push(other);
  }
  return others;
};

interface Standing {
  key: string;
  ids: string[];
}

/** Who stands under each key, in the order of their coming. One look for the first places, one for all others of the keys that are taken. */
const standing = async (tenant: string, keys: readonly string[], ports: Ports): Promise<Standing[]> => {
  const firsts = await ports.lessons.found(tenant, keys);
  const taken = keys.filter((_, at) => firsts[at] !== null);
  const later = taken.flatMap((key) => Array.from({ length: PLACES - 1 }, (_, at) => placeOf(key, at + 1)));
  const others = later.length === 0 ? [] : await ports.lessons.found(tenant, later);
  return keys.map((key, at) => {
    const from = taken.indexOf(key) * (PLACES - 1);
    const rest = from < 0 ? [] : others.slice(from, from + PLACES - 1);
    return { key, ids: [firsts[at] ?? null, ...rest].filter((id) => id !== null) };
  });
};

/** Takes the first free place under each key, once. */
const stand = async (tenant: string, { keys, id }: { keys: string[]; id: string }, ports: Ports): Promise<void> => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const open = (await standing(tenant, keys, ports)).filter(({ ids }) => ids.length < PLACES && !ids.includes(id));
    const places = open.map(({ key, ids }) => placeOf(key, ids.length));
    const found = places.map(() => null);
    if (places.length === 0 || (await ports.lessons.claim(tenant, places, { value: id, found }))) return;
  }
  throw new HcaFault('HcaConflict', { message: `the place of ${id} changes faster than it can be read` });
};

const placeOf = (key: string, place: number): string => (place === 0 ? key : `${key}#${place}`);
