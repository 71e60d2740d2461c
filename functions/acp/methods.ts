// Which handler answers which method: one line per row of the register, and the compiler says when one is missing.
import { getArtifact, listArtifacts } from './artifact.ts';
import { cancelTask } from './cancel.ts';
import { applyTask, diffTask } from './change.ts';
import { checkHarness, listHarnesses, putHarness, removeHarness, showHarness } from './harness.ts';
import { applyHolarchy, diffHolarchy, showHolarchy } from './holarchy.ts';
import { addHolon, getCard, holonStatus, listHolons } from './holon.ts';
import { doctor, down, gc, listDeadLetters, listMethods, ping, redrive, whoami } from './house.ts';
import { readJournal, watchTask } from './journal.ts';
import {
  diffLesson,
  exportLessons,
  lessonHealth,
  lessonHistory,
  listLessons,
  searchLessons,
  showLesson,
} from './lessons.ts';
import { confirmLesson, importLessons, retireLesson, rollbackLesson } from './lessons-change.ts';
import { previewPlan } from './plan.ts';
import type { Handlers } from './ports.ts';
import { retryTask } from './retry.ts';
import { submitTask } from './submit.ts';
import { getTrace } from './trace.ts';
import { getEscalation, getVerdict } from './verdict.ts';
import { getTask, getTree, listTasks } from './view.ts';
import { joinContent, missingContent, putContent, putTree } from './workspace.ts';

export const HANDLERS: Handlers = {
  '_hca/ping': ping,
  '_hca/whoami': whoami,
  '_hca/methods': listMethods,
  '_hca/task/submit': submitTask,
  '_hca/task/plan': previewPlan,
  '_hca/task/get': getTask,
  '_hca/task/list': listTasks,
  '_hca/task/journal': readJournal,
  '_hca/task/watch': watchTask,
  '_hca/task/tree': getTree,
  '_hca/task/trace': getTrace,
  '_hca/task/verdict': getVerdict,
  '_hca/task/escalation': getEscalation,
  '_hca/task/cancel': cancelTask,
  '_hca/task/retry': retryTask,
  '_hca/task/diff': diffTask,
  '_hca/task/apply': applyTask,
  '_hca/workspace/missing': missingContent,
  '_hca/workspace/put': putContent,
  '_hca/workspace/join': joinContent,
  '_hca/workspace/tree': putTree,
  '_hca/artifact/list': listArtifacts,
  '_hca/artifact/get': getArtifact,
  '_hca/lessons/search': searchLessons,
  '_hca/lessons/list': listLessons,
  '_hca/lessons/show': showLesson,
  '_hca/lessons/history': lessonHistory,
  '_hca/lessons/diff': diffLesson,
  '_hca/lessons/confirm': confirmLesson,
  '_hca/lessons/retire': retireLesson,
  '_hca/lessons/rollback': rollbackLesson,
  '_hca/lessons/health': lessonHealth,
  '_hca/lessons/export': exportLessons,
  '_hca/lessons/import': importLessons,
  '_hca/holon/list': listHolons,
  '_hca/holon/card': getCard,
  '_hca/holon/status': holonStatus,
  '_hca/holon/add': addHolon,
  '_hca/holarchy/show': showHolarchy,
  '_hca/holarchy/diff': diffHolarchy,
  '_hca/holarchy/apply': applyHolarchy,
  '_hca/harness/list': listHarnesses,
  '_hca/harness/show': showHarness,
  '_hca/harness/check': checkHarness,
  '_hca/harness/put': putHarness,
  '_hca/harness/remove': removeHarness,
  '_hca/dead-letter/list': listDeadLetters,
  '_hca/dead-letter/redrive': redrive,
  '_hca/doctor': doctor,
  '_hca/gc': gc,
  '_hca/down': down,
};
