// Every port by name, with what each access level may do; the register names port and access, and the types follow.
import type { STEPS, StepName } from '#shared/contracts/steps.ts';
import type { Artifacts, ArtifactsRead } from './artifacts.ts';
import type { Journal, JournalRead } from './journal.ts';
import type { Ledger, LedgerCall, LedgerRead } from './ledger.ts';
import type { Profiles, ProfilesRead } from './profiles.ts';
import type { Sandbox } from './sandbox.ts';
import type { Sessions } from './sessions.ts';
import type { Tasks, TasksRead } from './tasks.ts';
import type { Tools } from './tools.ts';
import type { Inbox, Marks, Waits } from './waits.ts';
import type { Workspaces } from './workspaces.ts';
import type {
  Clock,
  History,
  Holons,
  HolonsRead,
  Lessons,
  LessonsRead,
  Messages,
  Workflows,
  WorkflowsRead,
} from './world.ts';

/** The whole house: what a host provides. */
export interface Ports {
  holons: Holons;
  tasks: Tasks;
  waits: Waits;
  marks: Marks;
  inbox: Inbox;
  lessons: Lessons;
  artifacts: Artifacts;
  ledger: Ledger;
  journal: Journal;
  profiles: Profiles;
  messages: Messages;
  workflows: Workflows;
  history: History;
  tools: Tools;
  sandbox: Sandbox;
  workspaces: Workspaces;
  sessions: Sessions;
  clock: Clock;
}

/** Port and access level to interface: a writing method of a port that a row only reads does not compile. */
export interface PortAccess {
  holons: { read: HolonsRead; write: Holons };
  tasks: { read: TasksRead; write: Tasks };
  waits: { read: Pick<Waits, 'read' | 'of'>; write: Waits };
  marks: { read: Pick<Marks, 'read'>; write: Marks };
  inbox: { write: Inbox };
  lessons: { read: LessonsRead; write: Lessons };
  artifacts: { read: ArtifactsRead; write: Artifacts };
  ledger: { read: LedgerRead; call: LedgerCall; write: Ledger };
  journal: { read: JournalRead; write: Journal };
  profiles: { read: ProfilesRead; write: Profiles };
  messages: { write: Messages };
  workflows: { read: WorkflowsRead; write: Workflows };
  tools: { release: Pick<Tools, 'release'>; call: Tools };
  sandbox: { call: Sandbox };
  workspaces: { read: Pick<Workspaces, 'list' | 'read'>; write: Workspaces };
  clock: { read: Clock };
}

/** The ports of one step, exactly as wide as its register row. */
export type StepPorts<S extends StepName> = {
  [P in keyof (typeof STEPS)[S]['ports']]: P extends keyof PortAccess
    ? (typeof STEPS)[S]['ports'][P] extends keyof PortAccess[P]
      ? PortAccess[P][(typeof STEPS)[S]['ports'][P]]
      : never
    : never;
};
