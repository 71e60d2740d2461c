// What a task that is over gives to the knowledge base: its own lesson, and what became of the lessons it used (L3-KBC-01, L3-KBC-02).
import type { Budget } from '#shared/contracts/budget.ts';
import type { Lesson } from '#shared/contracts/lesson.ts';
import type { AnyRecord, TaskRecord } from '#shared/contracts/task.ts';
import { creditsOf } from '#shared/domain/knowledge/credit.ts';
import { extractLesson } from '#shared/domain/knowledge/extract.ts';
import type { PortAccess } from '#shared/ports/index.ts';
import type { Say } from '../step.ts';

/** The lesson, the message, and how the journal says it. `lesson` null: nothing was done that could teach anything. */
export interface Contribution {
  lesson: Lesson | null;
  tell: Say[];
  text: string;
  data: Record<string, unknown>;
}

interface About {
  domain: string;
  spent: Budget;
  now: number;
}

/** One message for both. */
export const contribution = (record: TaskRecord, about: About): Contribution => {
  const lesson = extractLesson({ record, ...about });
  if (lesson === null) return { lesson, tell: [], text: 'nothing was done that teaches anything', data: {} };
  const credits = creditsOf(record);
  const params = { lessons: [lesson], credits };
  return {
    lesson,
    tell: [{ method: 'hca/knowledge/contribute', to: 'knowledge', task: record.id, params }],
    text: `lesson (${lesson.type}): ${lesson.advice}`.slice(0, 2000),
    data: { lesson: lesson.id, tags: lesson.tags, ...(credits.length === 0 ? {} : { credits }) },
  };
};

/** The specialty of a record's holon, as its card says. */
export const domainOf = async (
  { tenant, holon }: Pick<AnyRecord, 'tenant' | 'holon'>,
  ports: { holons: PortAccess['holons']['read'] },
): Promise<string> => (await ports.holons.get(tenant, holon))?.domain ?? 'general';
