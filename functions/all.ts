// Every step by its name; a host binds them with perform.

import type { StepName } from '#shared/contracts/steps.ts';
import { accept } from './accept/step.ts';
import { answer } from './answer/step.ts';
import { arbitrate } from './arbitrate/step.ts';
import { cancel } from './cancel/step.ts';
import { collect } from './collect/step.ts';
import { compound } from './compound/step.ts';
import { delegate } from './delegate/step.ts';
import { escalate } from './escalate/step.ts';
import { judge } from './judge/step.ts';
import { learn } from './learn/step.ts';
import { plan } from './plan/step.ts';
import { review } from './review/step.ts';
import { revise } from './revise/step.ts';
import { route } from './route/step.ts';
import { settle } from './settle/step.ts';
import type { Step } from './step.ts';
import { sweep } from './sweep/step.ts';
import { verdict } from './verdict/step.ts';
import { work } from './work/step.ts';

/** One entry for each row of the register. */
export const ALL_STEPS: { [S in StepName]: Step<S> } = {
  accept,
  answer,
  arbitrate,
  cancel,
  collect,
  compound,
  delegate,
  escalate,
  judge,
  learn,
  plan,
  review,
  revise,
  route,
  settle,
  sweep,
  verdict,
  work,
};
