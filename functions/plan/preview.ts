// A dry run: what the house would make of a goal in a workspace. Pure reading, nothing is started (requirements section 3, PLAN).
import type { CostEstimate } from '#shared/contracts/acp-task.ts';
import type { Criterion } from '#shared/contracts/criterion.ts';
import type { HolonCard } from '#shared/contracts/holon.ts';
import type { TaskSpec, Workspace } from '#shared/contracts/offer.ts';
import type { HarnessPackage } from '#shared/contracts/profile.ts';
import { toolsFor } from '#shared/domain/harness/alternatives.ts';
import { readGoal } from '#shared/domain/harness/goal.ts';
import { familiesOf } from '#shared/domain/holarchy.ts';
import { needsOf } from '#shared/domain/needs.ts';
import { chooseChildren } from '#shared/domain/planning.ts';
import { RATES_OF } from '#shared/domain/rate-card.ts';
import { shapeOf } from '#shared/domain/task-shape.ts';
import { estimateOf } from '#shared/domain/usage-model.ts';
import type { PortAccess } from '#shared/ports/index.ts';
import { type Understanding, understand } from '../loop/understand.ts';

/** What is asked, as the door has it. */
export interface Asked {
  goal: string;
  criteria: Criterion[];
  workspace: Workspace | null;
}

interface Ports {
  holons: PortAccess['holons']['read'];
  profiles: PortAccess['profiles']['read'];
  workspaces: PortAccess['workspaces']['read'];
}

/** `ok` false: the root would reject it, and `reason` says why and what can be asked instead. `route`: holons from the root down. */
export const preview = async (tenant: string, asked: Asked, ports: Ports) => {
  const cards = await ports.holons.all(tenant);
  const root = cards.find(({ role }) => role === 'root')?.id ?? 'root';
  const families = familiesOf(cards, root);
  const packages = await ports.profiles.all();
  const known = packages.flatMap((harness) => harness.families).filter(({ name }) => families.includes(name));
  const reading = readGoal(asked.goal, known);
  const clauses = reading.clauses.map(({ text }) => text);
  const none = { family: null, clauses, criteria: [], route: [], alternatives: [], estimate: null };
  if (reading.uncovered.length > 0)
    return { ok: false, reason: reading.reason ?? '', uncovered: reading.uncovered, ...none };
  const spec: TaskSpec = { ...asked, family: null, start_from: null };
  const understood = await understand({ spec, packages, families }, ports);
  const uncovered = understood.uncovered.map(({ clause }) => clause);
  const reason = understood.uncovered.map((one) => `"${one.clause}": ${one.reason}`).join('; ');
  return {
    ...none,
    ok: uncovered.length === 0,
    reason,
    uncovered,
    family: reading.family,
    criteria: understood.criteria,
    route: routeOf({ cards, root, spec, understood }),
    estimate: uncovered.length > 0 ? null : estimate({ cards, root, spec, understood }),
    alternatives: alternativesOf(
      understood,
      reading.clauses.map(({ family }) => family),
    ),
  };
};

interface Route {
  cards: HolonCard[];
  root: string;
  spec: TaskSpec;
  understood: Understanding;
}

/** Every holon that would be asked, level by level. */
const routeOf = ({ cards, root, spec, understood }: Route): string[] => {
  const clauses = understood.reading.clauses;
  const needs = needsOf({ goal: spec.goal, family: null, clauses, criteria: understood.criteria });
  const route: string[] = [];
  let level = [root];
  while (level.length > 0) {
    route.push(...level);
    level = [
      ...new Set(level.flatMap((me) => chooseChildren({ cards, me, needs }).children.map(({ holon }) => holon))),
    ];
  }
  return [...new Set(route)];
};

/** What it would cost: who would be asked for what, level by level, priced by what such tasks were measured to use. */
const estimate = ({ cards, root, spec, understood }: Route): CostEstimate => {
  const { clauses } = understood.reading;
  const shape = shapeOf(
    cards,
    root,
    needsOf({ goal: spec.goal, family: null, clauses, criteria: understood.criteria }),
  );
  const usd_micros = estimateOf(shape);
  return {
    leaves: shape.leaves,
    coordinators: shape.coordinators,
    usd_micros,
    usd_micros_revision: estimateOf({ ...shape, revisions: 1 }) - usd_micros,
    rates_of: RATES_OF,
  };
};

const alternativesOf = ({ harness, criteria, project }: Understanding, families: (string | null)[]): string[] => {
  const known = families.flatMap((family) => (family === null ? [] : [family]));
  return [...new Set(known.flatMap((family) => toolsFor(harness, family, { criteria, project }).map(nameOf)))];
};

const nameOf = ({ name }: HarnessPackage['tools'][number]): string => name;
