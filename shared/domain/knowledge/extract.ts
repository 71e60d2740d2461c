// What a finished task teaches: what was tried, what the verdict said, what made the difference (L3-CMP-02, L3-CMP-03, L3-LES).
import type { Budget } from '#shared/contracts/budget.ts';
import type { Lesson } from '#shared/contracts/lesson.ts';
import type { TaskRecord } from '#shared/contracts/task.ts';

/** One lesson for every finished task: a pattern when it was accepted, an antipattern when it was not. */
export const extractLesson = (from: { record: TaskRecord; spent: Budget; now: number }): Lesson => {
  const { record } = from;
  const family = record.plan?.family ?? record.spec.family ?? 'unknown';
  return {
    id: `lesson-${record.id}`,
    version: 1,
    type: record.result === null ? 'antipattern' : 'pattern',
    task_id: record.id,
    holon: record.holon,
    domain: family,
    family,
    tags: tagsOf(record, family),
    situation: record.spec.goal.slice(0, 2000),
    advice: adviceOf(record).slice(0, 2000),
    evidence: [...new Set(record.attempts.flatMap(({ evidence }) => evidence))].slice(0, 32),
    spent: from.spent,
    created_at: from.now,
  };
};

const tagsOf = (record: TaskRecord, family: string): string[] => {
  const criteria = record.plan?.criteria.filter(({ goal }) => goal).map(({ id }) => id) ?? [];
  const alternatives = record.attempts.map(({ alternative }) => alternative);
  return [...new Set([family, record.plan?.harness ?? '', ...criteria, ...alternatives])]
    .filter((tag) => tag !== '')
    .map((tag) => tag.slice(0, 80))
    .slice(0, 32);
};

const adviceOf = (record: TaskRecord): string => {
  const tried = record.attempts.map(({ alternative, result }) => `${alternative}: ${result}`).join('; ');
  if (record.result !== null) return `worked: ${record.attempts.at(-1)?.alternative ?? 'delegate'} (${tried})`;
  return `did not work: ${tried || 'nothing was tried'}; ${record.escalation?.reason ?? 'fault'}: ${record.escalation?.detail ?? ''}`;
};
