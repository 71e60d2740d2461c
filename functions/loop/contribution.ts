// What a task that is over gives to the knowledge base: its own lesson, and what became of the lessons it used (L3-KBC-01, L3-KBC-02).
import type { Budget } from '#shared/contracts/budget.ts';
import type { Lesson } from '#shared/contracts/lesson.ts';
import type { AnyRecord, DelegationRecord, TaskRecord } from '#shared/contracts/task.ts';
import { ZERO } from '#shared/domain/budget.ts';
import { creditsOf } from '#shared/domain/knowledge/credit.ts';
import { extractLesson } from '#shared/domain/knowledge/extract.ts';
import { spentOf } from '#shared/domain/ledger.ts';
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
  children: DelegationRecord[];
  now: number;
}

interface Ports {
  holons: PortAccess['holons']['read'];
  ledger: PortAccess['ledger']['read'];
  tasks: PortAccess['tasks']['read'];
}

/** What a lesson says beside the task's own record; `now` in ms. */
export const aboutOf = async (record: TaskRecord, now: number, ports: Ports): Promise<About> => {
  const ledger = await ports.ledger.read(record.tenant, record.id);
  const spent = ledger === undefined ? ZERO : spentOf(ledger);
  return { now, spent, domain: await domainOf(record, ports), children: await delegationsOf(record, ports) };
};

const delegationsOf = async (record: TaskRecord, { tasks }: Ports): Promise<DelegationRecord[]> => {
  if (record.plan === null || record.plan.waves.length === 0) return [];
  const below = await tasks.below(record.tenant, record.root);
  return below.flatMap((one) => (one.kind === 'delegation' && one.task === record.id ? [one] : []));
};

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
  ports: Pick<Ports, 'holons'>,
): Promise<string> => (await ports.holons.get(tenant, holon))?.domain ?? 'general';
