// What the newest task made of lessons, read from its journal: attempts, which lessons changed its plan and how, and what it taught itself.
import * as z from 'zod';
import type { Door } from '#shared/client/door.ts';
import type { Entry } from '#shared/contracts/journal.ts';
import { LessonEffect } from '#shared/contracts/lesson.ts';
import type { App } from './app.ts';

/** `because`: what lessons changed in its first plan; `lesson`: the one that the holon at work contributed, null when there is none. */
export interface Learned {
  attempts: number;
  because: LessonEffect[];
  lesson: string | null;
}

/** Asks the running host; the holon at work is the one whose plans name an alternative. */
export const learnedIn = async (app: App): Promise<Learned> => {
  const running = await app.running();
  if (running === undefined) return { attempts: 0, because: [], lesson: null };
  const entries = await wholeJournal(running.door);
  const plans = entries.filter(({ step, data }) => step === 'plan' && data.alternative !== undefined);
  const record = plans[0]?.record;
  const told = entries.find((entry) => entry.record === record && entry.step === 'compound' && isLesson(entry));
  return {
    attempts: plans.length,
    because: z.array(LessonEffect).catch([]).parse(plans[0]?.data.learned),
    lesson: told === undefined ? null : String(told.data.lesson),
  };
};

/** In words, for the screen. */
export const learnedLines = ({ attempts, because, lesson }: Learned): string[] => [
  '',
  `Attempts: ${attempts}`,
  ...because.map(
    (one) =>
      `Because of ${one.lesson}: ${one.alternative} ${one.effect === 'promotes' ? 'comes earlier' : 'comes later'}`,
  ),
  ...(lesson === null ? [] : [`Learned: ${lesson} (hca lessons show ${lesson})`]),
];

const isLesson = ({ data }: Entry): boolean => typeof data.lesson === 'string' && data.tags !== undefined;

const wholeJournal = async (door: Door): Promise<Entry[]> => {
  const entries: Entry[] = [];
  let cursor = '';
  for (;;) {
    const slice = await door.call('_hca/task/journal', { task: 'last', cursor, limit: 1000 });
    entries.push(...slice.entries);
    if (slice.entries.length === 0) return entries;
    cursor = slice.cursor;
  }
};
