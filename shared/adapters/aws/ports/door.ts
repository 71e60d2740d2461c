// The ports that both doors work with: the one that is asked, and the one that pushes (shared/contracts/access.ts has their rows).
import { artifacts } from './artifacts.ts';
import { clock } from './clock.ts';
import { connections } from './connections.ts';
import type { Variables } from './environment.ts';
import { holons } from './holons.ts';
import { journal } from './journal.ts';
import { ledger } from './ledger.ts';
import { lessons } from './lessons.ts';
import { executionsOf } from './looking.ts';
import { messages } from './messages.ts';
import { profiles } from './profiles.ts';
import { sessions } from './sessions.ts';
import { store } from './store.ts';
import { tasks } from './tasks.ts';
import { watchers } from './watchers.ts';

export const doorPorts = (variables: Variables) => ({
  artifacts: artifacts(variables),
  clock: clock(variables),
  connections: connections(variables),
  holons: holons(variables),
  journal: journal(variables),
  ledger: ledger(variables),
  lessons: lessons(variables),
  messages: messages(variables),
  profiles: profiles(variables),
  sessions: sessions(variables),
  tasks: tasks(variables),
  watchers: watchers(variables),
  ...executionsOf(variables),
  workspaces: store(variables),
});
