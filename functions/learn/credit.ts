// Credit and blame: what a verdict said of a lesson that a task used becomes the lesson's next version, once for each task.
import type { Lesson, LessonCredit } from '#shared/contracts/lesson.ts';
import type { Message, ResultOf } from '#shared/contracts/messages.ts';
import { creditsOf } from '#shared/domain/knowledge/credit.ts';
import { credited, seen } from '#shared/domain/knowledge/upkeep.ts';
import type { StepPorts } from '#shared/ports/index.ts';
import { changeLesson } from '../loop/lessons.ts';

type Credited = ResultOf<'hca/knowledge/contribute'>['credits'][number];

/** Counted only as the task's own record says: nobody praises or blames a lesson that he did not use. */
export const credit = async (message: Message, one: LessonCredit, ports: StepPorts<'learn'>): Promise<Credited> => {
  const { lesson, outcome } = one;
  const record = await ports.tasks.load(message.tenant, message.task);
  const own = record?.kind === 'task' && record.holon === message.from ? creditsOf(record) : [];
  if (!own.some((known) => known.lesson === lesson && known.outcome === outcome))
    return { lesson, status: 'refused', reason: `${message.task} did not use it with this outcome` };
  const event = { cause: `used:${message.task}`, at: message.sent_at };
  const decide = (now: Lesson): Lesson | null =>
    outcome === 'seen' ? seen(now, event) : credited(now, { outcome }, event);
  const put = await changeLesson({ tenant: message.tenant, id: lesson }, decide, ports);
  return {
    lesson,
    status: put === 'unknown' ? 'refused' : 'credited',
    reason: put === 'stored' ? outcome : REASONS[put],
  };
};

const REASONS = { there: 'counted before', same: 'nothing changed', unknown: 'there is no such lesson' } as const;
