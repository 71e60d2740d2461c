// A coordinator's plan: the fewest children that cover what the goal needs, each with criteria and a share of the budget.
import type { ChildPlan, Plan } from '#shared/contracts/plan.ts';
import type { TaskRecord } from '#shared/contracts/task.ts';
import { moveTask } from '#shared/domain/lifecycle.ts';
import { needsOf } from '#shared/domain/needs.ts';
import { allocate, type ChosenChild, chooseChildren } from '#shared/domain/planning.ts';
import type { StepPorts } from '#shared/ports/index.ts';
import { nextWave } from '../loop/wave.ts';
import type { Change } from '../step.ts';
import { type Consulted, consult, exchangeOf } from './consult.ts';
import { planOf } from './draft.ts';
import { giveUp } from './give-up.ts';
import type { Prepared } from './prepare.ts';

export const planChildren = async (
  record: TaskRecord,
  prepared: Prepared,
  ports: StepPorts<'plan'>,
): Promise<Change<'plan'>> => {
  const { understood, cards, card, rest } = prepared;
  const needs = needsOf({
    goal: record.spec.goal,
    family: record.spec.family,
    clauses: understood.reading.clauses,
    criteria: understood.criteria,
  });
  const chosen = chooseChildren({ cards, me: card.id, needs });
  const children = together(chosen.children, cards);
  if (chosen.missing.length > 0) {
    return giveUp(record, {
      reason: 'no_capability',
      detail: `nobody below ${card.id} can do: ${chosen.missing.join(', ')}`,
    });
  }
  const shares = allocate(rest, { children: children.length });
  const wave: ChildPlan[] = children.map((child, slot) => ({
    slot,
    ...child,
    budget: shares.each[slot] ?? shares.review,
  }));
  const draft = planOf(record, prepared);
  const consulted = await consult({ record, draft, prepared }, ports);
  const planned: Plan = {
    ...draft,
    lessons: consulted.cited.map(({ id }) => id),
    allocation: { work: shares.work, review: shares.review },
    waves: [wave],
  };
  return delegating(record, planned, { now: ports.clock.now(), consulted });
};

/** What falls to one coordinator is one delegation: it splits the goal further itself. A leaf gets one family at a time. */
const together = (children: ChosenChild[], cards: Prepared['cards']): Omit<ChildPlan, 'slot' | 'budget'>[] => {
  const splits = (id: string) => cards.some((card) => card.id === id && card.can_delegate && card.role !== 'leaf');
  const merged = [...new Set(children.map(({ holon }) => holon).filter(splits))].map((holon) => {
    const own = children.filter((child) => child.holon === holon);
    const family = own.length === 1 ? (own[0]?.family ?? null) : null;
    return {
      holon,
      family,
      goal: own.map(({ goal }) => goal).join(', '),
      criteria: [...new Set(own.flatMap(({ criteria }) => criteria))],
    };
  });
  return [...merged, ...children.filter(({ holon }) => !splits(holon))];
};

const delegating = (
  record: TaskRecord,
  planned: Plan,
  { now, consulted }: { now: number; consulted: Consulted },
): Change<'plan'> => {
  const next: TaskRecord = {
    ...record,
    state: moveTask(moveTask(record.state, 'planning'), 'delegating'),
    plan: planned,
    wave: 0,
    redo: [],
  };
  const wave = nextWave(next, now);
  return {
    record: next,
    also: wave.also,
    entry: {
      text: `delegates to ${planned.waves
        .flat()
        .map(({ holon }) => holon)
        .join(', ')}`,
      data: {
        goal: planned.goal,
        criteria: planned.criteria.map(({ id, text }) => ({ id, text })),
        children: planned.waves.flat().map(({ holon, family, goal, budget }) => ({ holon, family, goal, budget })),
        evaluator: planned.evaluator,
        allocation: planned.allocation,
        lessons: planned.lessons,
        messages: exchangeOf(consulted),
      },
    },
    output: { word: 'coordinator', deadline: record.constraints.deadline, wave: wave.ids },
  };
};
