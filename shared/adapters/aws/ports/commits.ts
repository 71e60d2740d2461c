// The ports that every step working on a record is committed through, beside those of its register row (shared/contracts/access.ts).
import { clock } from './clock.ts';
import { journal } from './journal.ts';
import { ledger } from './ledger.ts';
import { marks } from './marks.ts';
import { messages } from './messages.ts';
import { tasks } from './tasks.ts';
import { waits } from './waits.ts';
import { workflows } from './workflows.ts';

export const commits = { clock, journal, ledger, marks, messages, tasks, waits, workflows };
