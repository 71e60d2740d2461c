// Every command, in the order in which help lists them. Each is a request to the northbound door; a test compares both tables.
import { acp } from './commands/acp.ts';
import { apply, cancel, retry } from './commands/acting.ts';
import { harnessCheck, harnessList, harnessPut, harnessRemove, harnessShow } from './commands/harness.ts';
import { holarchyApply, holarchyDiff, holarchyShow } from './commands/holarchy.ts';
import { card, holonAdd, holonList, holonStatus } from './commands/holons.ts';
import { deadLetters, doctor, down, gc, redrive } from './commands/hosting.ts';
import { lessonsHistory, lessonsList, lessonsSearch, lessonsShow } from './commands/lessons.ts';
import {
  lessonsConfirm,
  lessonsDiff,
  lessonsExport,
  lessonsHealth,
  lessonsImport,
  lessonsRetire,
  lessonsRollback,
} from './commands/lessons-change.ts';
import { login, logout, whoami } from './commands/login.ts';
import { journal, status, tasks, trace, tree, watch } from './commands/looking.ts';
import { artifacts, diff, escalation, verdict } from './commands/outcome.ts';
import { run } from './commands/run.ts';
import { sandboxServer } from './commands/sandbox-server.ts';
import { up } from './commands/up.ts';
import type { CommandSpec } from './define.ts';

export const COMMANDS: readonly CommandSpec[] = [
  run,
  status,
  tasks,
  watch,
  tree,
  trace,
  journal,
  verdict,
  escalation,
  diff,
  apply,
  artifacts,
  cancel,
  retry,
  lessonsSearch,
  lessonsList,
  lessonsShow,
  lessonsHistory,
  lessonsDiff,
  lessonsConfirm,
  lessonsRetire,
  lessonsRollback,
  lessonsHealth,
  lessonsExport,
  lessonsImport,
  card,
  holonList,
  holonStatus,
  holonAdd,
  holarchyShow,
  holarchyDiff,
  holarchyApply,
  harnessList,
  harnessShow,
  harnessCheck,
  harnessPut,
  harnessRemove,
  deadLetters,
  redrive,
  doctor,
  up,
  down,
  gc,
  acp,
  sandboxServer,
  login,
  logout,
  whoami,
];
