// A finished task, its lesson and its review for the tests of the knowledge rules.

import type { Lesson } from '#shared/contracts/lesson.ts';
import type { TaskRecord } from '#shared/contracts/task.ts';
import { extractLesson } from '#shared/domain/knowledge/extract.ts';
import { all, rootId, task } from '#test/adapters/suites/samples.ts';

const attempt = (iteration: number, alternative: string, result: 'fail' | 'pass') => ({
  iteration,
  alternative,
  artifact: null,
  result,
  unmet: result === 'fail' ? ['lint: it fails'] : [],
  reason: `lint ${result}`,
  signature: result,
  progress: 0,
  evidence: [`run-${iteration}`],
});

/** Escalated after two attempts, unless parts say otherwise. */
export const finished = (n = 1, parts: Partial<TaskRecord> = {}): TaskRecord =>
  task(rootId(n), {
    state: 'compounding',
    attempts: [attempt(1, 'weak', 'fail'), attempt(2, 'strong', 'fail')],
    ...parts,
  });

export const lessonOf = (record: TaskRecord, parts: Partial<Lesson> = {}): Lesson => ({
  ...extractLesson({ record, children: [], domain: 'code', spent: all(1), now: 1000 })!,
  ...parts,
});

export const SIGNATURE = { family: 'lint', tools: ['biome'], failures: ['lint:a', 'lint:b'], checks: ['lint'] };
