// From what a person wrote to what the root holon is offered: workspace, criteria, budget, deadline (L1-DEL-02, L1-DEL-03).
import type { Submit } from '#shared/contracts/acp-task.ts';
import type { Budget } from '#shared/contracts/budget.ts';
import { HcaFault, type Problem } from '#shared/contracts/errors.ts';
import { DEFAULT_BUDGET, parseBudget } from '#shared/domain/budget.ts';
import type { DoorHost, DoorPorts } from './ports.ts';

/** A task may take twice its budgeted tool time, for planning, waiting and review; never less than a minute, never more than a week. */
const DEADLINE_FACTOR = 2;
const LEAST_MS = 60_000;
const MOST_MS = 7 * 24 * 3_600_000;

/** The budget a person asked for; what they did not name is the default. @throws HcaFault HcaBadInput naming the dimension. */
export const budgetOf = (given: Submit['budget']): Budget => {
  if (given === undefined) return DEFAULT_BUDGET;
  if (typeof given !== 'string') return checkAmounts(given);
  const read = parseBudget(given);
  if ('problem' in read) throw asFault(read.problem);
  return { ...DEFAULT_BUDGET, ...read.budget };
};

/** When a task must be over, absolute, in ms. */
export const deadlineOf = (budget: Budget, now: number): number =>
  now + Math.min(Math.max(budget.time_ms * DEADLINE_FACTOR, LEAST_MS), MOST_MS);

/**
 * A home inside the workspace would be copied into every snapshot, with all that was ever done; a workspace inside the home would be
 * swept away with what else is there. @throws HcaFault HcaBadInput
 */
export const checkApart = (workspace: string, { home, identity }: Pick<DoorHost, 'home' | 'identity'>): void => {
  if (home === undefined) return;
  const [folder, own] = [workspace, home].map((path) => (path.endsWith('/') ? path : `${path}/`));
  if (folder === undefined || own === undefined || !(own.startsWith(folder) || folder.startsWith(own))) return;
  const how = own.startsWith(folder) ? 'holds' : 'lies in';
  throw asFault({
    field: 'workspace',
    message: `${workspace} ${how} hca's own home${identity.home === undefined ? '' : ` ${home}`}.`,
    remedy: 'Give the folder of one project, or set HCA_HOME to a folder outside of it.',
  });
};

/** What `checkApart` says, and where a host names folders for others: nothing outside of them. @throws HcaFault HcaBadInput, HcaDenied */
export const checkFolder = (workspace: string, { host, folders }: Pick<DoorPorts, 'host' | 'folders'>): void => {
  checkApart(workspace, host);
  if (folders === undefined || folders.some((folder) => isWithin(workspace, folder))) return;
  throw new HcaFault('HcaDenied', {
    message: `no work is done in ${workspace} for anybody from elsewhere`,
    field: 'workspace',
    remedy:
      folders.length === 0
        ? 'whoever runs the host names folders for it: hca up --listen … --folders /srv/projects'
        : `use a folder below ${folders.join(' or ')}`,
  });
};

const isWithin = (workspace: string, folder: string): boolean =>
  !workspace.split('/').includes('..') && `${workspace}/`.startsWith(folder.endsWith('/') ? folder : `${folder}/`);

/** A problem that a rule found, as a fault. */
export const asFault = (problem: Problem): HcaFault =>
  new HcaFault('HcaBadInput', { message: problem.message, field: problem.field, remedy: problem.remedy });

/** Dollars and tokens may be 0 (work without a model); without calls, attempts or time nothing can be done. */
const checkAmounts = (budget: Budget): Budget => {
  for (const name of ['calls', 'attempts', 'time_ms'] as const) {
    if (budget[name] > 0) continue;
    throw asFault({
      field: `budget.${name}`,
      message: `A budget without ${name} can do nothing.`,
      remedy: 'Give more than 0.',
    });
  }
  return budget;
};
