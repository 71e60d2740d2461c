// What must hold before a harness takes a task (harness layer 4, readiness).
import type { HarnessPackage } from '#shared/contracts/profile.ts';
import type { Project } from '#shared/contracts/project.ts';
import { matchesGlob } from '../glob.ts';

/** Tools that no alternative of the family can do without and that are not at hand (names or globs); family null looks at all families. */
export function missingTools(harness: HarnessPackage, family: string | null, tools: readonly string[]): string[] {
  const has = (name: string): boolean => tools.some((one) => matchesGlob(one, name));
  const needed = harness.readiness.flatMap(({ needs }) => (needs.kind === 'tool' ? [needs.tool] : []));
  const usable = harness.tools.filter((tool) => family === null || tool.families.includes(family));
  const lacking = usable.map((tool) => tool.needs.tools.filter((name) => !has(name)));
  const least = lacking.toSorted((left, right) => left.length - right.length)[0] ?? [];
  return [...new Set([...needed.filter((name) => !has(name)), ...least])];
}

/** Sentences about what is not ready in this workspace; empty when the task can be taken. */
export function notReady(harness: HarnessPackage, project: Project | null): string[] {
  return harness.readiness.flatMap(({ needs, text }) =>
    needs.kind === 'project' && (project?.checks.length ?? 0) === 0 ? [text] : [],
  );
}
