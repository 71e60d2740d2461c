// What a holon looks at before it answers an offer: its goal, its tools, its capacity, and what the task would cost.
import type { Lesson } from '#shared/contracts/lesson.ts';
import type { Params } from '#shared/contracts/messages.ts';
import type { OfferAnswer } from '#shared/contracts/offer.ts';
import type { HarnessPackage } from '#shared/contracts/profile.ts';
import type { TaskRecord } from '#shared/contracts/task.ts';
import { judgeOffer } from '#shared/domain/delegation.ts';
import { estimate } from '#shared/domain/harness/estimate.ts';
import { readGoal } from '#shared/domain/harness/goal.ts';
import { missingTools } from '#shared/domain/harness/readiness.ts';
import { familiesOf, toolsOf } from '#shared/domain/holarchy.ts';
import { pastCost } from '#shared/domain/needs.ts';
import type { StepPorts } from '#shared/ports/index.ts';
import { packagesFor, understand } from '../loop/understand.ts';

interface Asked {
  record: TaskRecord;
  offer: Params<'hca/task/delegate'>;
}

/** The answer to an offer; the decision is `judgeOffer`, what it needs to know is gathered here. */
export const judge = async ({ record, offer }: Asked, ports: StepPorts<'answer'>): Promise<OfferAnswer> => {
  const cards = await ports.holons.all(record.tenant);
  const card = cards.find(({ id }) => id === record.holon);
  if (card === undefined) return { answer: 'reject', reason: 'offline', detail: `there is no holon ${record.holon}` };
  const families = familiesOf(cards, card.id);
  const packages = await ports.profiles.all();
  if (record.parent === null) {
    const refused = await refusal({ offer, families, packages }, ports);
    if (refused !== null) return refused;
  }
  const harness = packages.find(({ name }) => name === card.harness) ?? null;
  return judgeOffer({
    spec: offer.spec,
    constraints: offer.constraints,
    card,
    open: await othersOpen(record, ports),
    families,
    estimate: harness === null ? null : estimate(harness, null, offer.spec),
    past: await past(record, offer.spec.family, ports),
    missingTools: harness === null ? [] : missingTools(harness, offer.spec.family, toolsOf(cards, card.id)),
    now: ports.clock.now(),
  });
};

/** Tasks the holon has open beside the one that is offered, whose record is there already. */
const othersOpen = async (record: TaskRecord, ports: StepPorts<'answer'>): Promise<number> =>
  Math.max(0, (await ports.tasks.openOf(record.tenant, record.holon)) - 1);

interface Root {
  offer: Asked['offer'];
  families: string[];
  packages: HarnessPackage[];
}

/** The root refuses before any attempt what nobody below it can do or check, and says what can be asked (requirements section 3). */
const refusal = async (
  { offer, families, packages }: Root,
  ports: StepPorts<'answer'>,
): Promise<OfferAnswer | null> => {
  const usable = packagesFor(offer.spec, packages).flatMap((harness) => harness.families);
  const known = usable.filter(({ name }) => families.includes(name));
  const reading = readGoal(offer.spec.goal, known);
  if (reading.uncovered.length > 0) {
    return { answer: 'reject', reason: 'no_capability', detail: (reading.reason ?? '').slice(0, 2000) };
  }
  const understood = await understand({ spec: offer.spec, packages, families }, ports);
  if (understood.uncovered.length === 0) return null;
  const detail = understood.uncovered.map(({ clause, reason }) => `"${clause}": ${reason}`).join('; ');
  return { answer: 'reject', reason: 'no_check', detail: detail.slice(0, 2000) };
};

const past = async (record: TaskRecord, family: string | null, ports: StepPorts<'answer'>) => {
  if (family === null) return null;
  const hits = await ports.lessons.query(record.tenant, { text: record.spec.goal, family, grouped: 'all', limit: 20 });
  return pastCost(hits.map(({ lesson }) => lesson).filter(isWorkOf(record.holon)));
};

/** Reviews cost the evaluator nothing, so they say nothing of what the work costs. */
const isWorkOf = (holon: string) => (lesson: Lesson) => lesson.holon === holon && lesson.provenance.origin === 'work';
