// What several kinds of state share when they are built: where a template stands, leaving, Retry and Catch.
import type { Catcher, Retrier } from '#local/asl/definition.ts';
import type { CatchRule, Leaving, Recovery } from '#local/asl/nodes.ts';
import type { Problems } from '#local/asl/problems.ts';
import type { ScopeShape } from '#local/asl/scope-shape.ts';
import type { Site, StatesPart, Templates } from '#local/asl/template.ts';

/** What building needs beside the shapes. */
export interface Kit {
  readonly templates: Templates;
  readonly problems: Problems;
  readonly variables: ReadonlyMap<ScopeShape, ReadonlySet<string>>;
}

/** A state being built: its scope, its name, and the site of each of its fields. */
export interface Place extends Kit {
  readonly scope: ScopeShape;
  readonly name: string;
  readonly path: string;
  site(field: string, ...extra: StatesPart[]): Site;
}

interface LeavingShape {
  readonly Output?: unknown;
  readonly Assign?: Record<string, unknown> | undefined;
}

/** Output and Assign of a state, a choice rule or a catcher. `at` is '' or the prefix of the fields. */
export function leavingOf(
  place: Place,
  shape: LeavingShape,
  how: { next: string | null; at: string; extra: StatesPart[] },
): Leaving {
  const output = place.templates.optional(shape.Output, place.site(`${how.at}Output`, ...how.extra));
  const assign = place.templates.optional(shape.Assign, place.site(`${how.at}Assign`, ...how.extra));
  return { output, assign, next: how.next };
}

/** Exactly one of Next and End; notes it otherwise. */
export function onwardOf(place: Place, shape: { Next?: string | undefined; End?: true | undefined }): string | null {
  if ((shape.Next === undefined) === (shape.End === undefined)) {
    place.problems.add(place.path, 'give exactly one of "Next": "<state>" and "End": true');
  }
  return shape.Next ?? null;
}

/** Retry and Catch with their rules on States.ALL checked. */
export function recoveryOf(
  place: Place,
  shape: { Retry?: Retrier[] | undefined; Catch?: Catcher[] | undefined },
): Recovery {
  const retry = shape.Retry ?? [];
  const catchers = shape.Catch ?? [];
  checkErrors(place, 'Retry', retry);
  checkErrors(place, 'Catch', catchers);
  return { retry, catch: catchers.map((catcher, index) => catchRule(place, catcher, index)) };
}

function catchRule(place: Place, catcher: Catcher, index: number): CatchRule {
  const how = { next: catcher.Next, at: `Catch[${index}].`, extra: ['errorOutput' as const] };
  return { errors: catcher.ErrorEquals, leaving: leavingOf(place, catcher, how) };
}

/** The reserved names a Retry or Catch can match. States.Runtime is not among them: it always ends the execution. */
const RESERVED = new Set(
  'ALL TaskFailed Timeout HeartbeatTimeout Permissions QueryEvaluationError NoChoiceMatched DataLimitExceeded'
    .split(' ')
    .map((name) => `States.${name}`),
);

function checkErrors(place: Place, field: string, rules: readonly { ErrorEquals: readonly string[] }[]): void {
  rules.forEach(({ ErrorEquals: errors }, index) => {
    const path = `${place.path}.${field}[${index}].ErrorEquals`;
    for (const name of errors.filter((each) => each.startsWith('States.') && !RESERVED.has(each))) {
      place.problems.add(path, `${name} cannot be matched; use one of ${[...RESERVED].join(', ')}`);
    }
    const last = index === rules.length - 1;
    if (errors.includes('States.ALL') && (errors.length > 1 || !last)) {
      place.problems.add(path, 'States.ALL stands alone and in the last entry; move it there');
    }
  });
}
