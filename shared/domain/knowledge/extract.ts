// What a finished task teaches: what was tried, what the verdict said, what made the difference (L3-CMP-02, L3-CMP-03, L3-LES).
import type { Budget } from '#shared/contracts/budget.ts';
import type { Attempt } from '#shared/contracts/escalation.ts';
import type { Lesson } from '#shared/contracts/lesson.ts';
import type { DelegationRecord, TaskRecord } from '#shared/contracts/task.ts';
import { childEvidence, type Led, ledOf } from './extract-children.ts';
import { asQuote } from './poison.ts';
import { signatureOf } from './signature.ts';
import { goalTags, normaliseTags } from './tags.ts';

/** `children`: its delegations, oldest first; none for a leaf. */
interface Finished {
  record: TaskRecord;
  children: readonly DelegationRecord[];
  domain: string;
  spent: Budget;
  now: number;
}

/** Its own lesson: a pattern when the task was accepted, else an antipattern; null when there is no evidence of anything (a cancel before any work). */
export const extractLesson = ({ record, children, domain, spent, now }: Finished): Lesson | null => {
  const evidence = evidenceOf(record);
  if (evidence.length === 0) return null;
  const family = record.plan?.family ?? record.spec.family ?? 'unknown';
  const { worked, failed } = triedOf(record);
  const led = ledOf(record, children);
  return {
    id: workLessonId(record.id),
    version: 1,
    type: record.result === null ? 'antipattern' : 'pattern',
    task_id: record.id,
    holon: record.holon,
    domain,
    family,
    tags: tagsOf(record, family, led),
    situation: asQuote(situationOf(record)).slice(0, 2000),
    advice: asQuote(adviceOf(record, led)).slice(0, 2000),
    did_not_work: asQuote(failuresOf(record, led)).slice(0, 2000),
    evidence: evidence.slice(0, 32),
    alternatives: { for: worked, against: failed },
    signature: record.plan === null ? null : signatureOf(record.plan),
    outcomes: { used: 0, helped: 0, hurt: 0 },
    retrieved: false,
    trust: 'provisional',
    provenance: { origin: 'work', source: record.id },
    group: null,
    contradicts: [],
    spent,
    created_at: now,
    change: { cause: `task:${record.id}`, why: 'contributed by the task it comes from', at: now },
  };
};

/** The one id that a task's own lesson may have: nobody can write another task's. */
export const workLessonId = (task: string): string => `lesson-${task}`;

/** References to what really ran or was really judged; a record that escalated or was cut off names itself. */
export const evidenceOf = (record: TaskRecord): string[] => {
  const judged = record.attempts.flatMap(({ evidence }) => evidence);
  const said = record.escalation?.evidence ?? [];
  const verdict = record.verdict === null ? [] : [`review:${record.verdict.review}`];
  return [...new Set([...childEvidence(record), ...judged, ...said, ...(record.work?.evidence ?? []), ...verdict])];
};

/** Names of the alternatives that passed and of those that did not; what failed and passed later is no failure. */
export const triedOf = (record: TaskRecord): { worked: string[]; failed: string[] } => {
  const last = record.attempts.at(-1);
  const worked = record.result === null || last === undefined ? [] : [last.alternative];
  const failed = record.attempts.filter(isFailed).map(({ alternative }) => alternative);
  return { worked, failed: [...new Set(failed)].filter((name) => !worked.includes(name)).slice(0, 16) };
};

const isFailed = ({ result }: Attempt): boolean => result === 'fail' || result === 'partial';

const failuresOf = (record: TaskRecord, led: Led | null): string =>
  [...record.attempts.filter(isFailed).map(failureOf), led?.failed ?? ''].filter((text) => text !== '').join('; ');

const failureOf = ({ alternative, unmet, reason }: Attempt): string =>
  `${alternative}: ${unmet.slice(0, 4).join(', ') || reason}`.slice(0, 500);

const tagsOf = (record: TaskRecord, family: string, led: Led | null): string[] => {
  const { plan } = record;
  const signature = plan === null ? null : signatureOf(plan);
  const criteria = plan?.criteria.filter(({ goal }) => goal).map(({ id }) => id) ?? [];
  return normaliseTags([
    family,
    plan?.harness ?? '',
    ...(led?.tags ?? []).slice(0, 12),
    ...criteria,
    ...(signature?.tools ?? []),
    ...(signature?.checks ?? []),
    ...record.attempts.map(({ alternative }) => alternative),
    ...(signature?.failures ?? []).slice(0, 8),
    ...goalTags(record.spec.goal),
    ...filesOf(record).slice(0, 4),
  ]);
};

/** Endings of the files that failures name: what kind of file a lesson is about, whatever it is called. */
const filesOf = (record: TaskRecord): string[] => {
  const lines = record.plan?.baseline.flatMap(({ failures }) => failures) ?? [];
  const endings = lines.flatMap((line) => /[\w-]\.([a-z]{1,4})(?=[:\s(]|$)/.exec(line)?.[1] ?? []);
  return [...new Set(endings)].map((ending) => `*.${ending}`);
};

const situationOf = (record: TaskRecord): string => {
  const red = record.plan?.baseline.filter(({ outcome }) => outcome !== 'pass') ?? [];
  const failing = red.map(({ criterion, failures }) => `${criterion}: ${failures.slice(0, 3).join(', ')}`).join('; ');
  return failing === '' ? record.spec.goal : `${record.spec.goal.slice(0, 1000)} (red before: ${failing})`;
};

const adviceOf = (record: TaskRecord, led: Led | null): string => {
  const tried = led?.worked || record.attempts.map(({ alternative, result }) => `${alternative}: ${result}`).join('; ');
  if (record.result !== null && led !== null) return `worked: ${tried}`;
  if (record.result !== null) return `worked: ${record.attempts.at(-1)?.alternative ?? 'delegate'} (${tried})`;
  const { escalation } = record;
  const end = escalation === null ? 'cancelled before it was accepted' : `${escalation.reason}: ${escalation.detail}`;
  return `did not work: ${tried || 'nothing was judged'}; ${end}`;
};
