// The first stage of a turn: a command is answered, what is no task gets a useful answer without a model, and a goal becomes a task.
import { type HcaFault, isFault, toFault } from '#shared/contracts/errors.ts';
import { readCommand } from '#shared/protocols/acp/commands.ts';
import { clarified } from './clarify.ts';
import { acpCode } from './codes.ts';
import { runCommand } from './commands.ts';
import { submitGoal } from './submit-goal.ts';
import { talk } from './talk.ts';
import { type At, finish, type Stage, say } from './turn.ts';

export const begin: Stage = async (at) => {
  if (at.turn.cancel !== null) return finish(at);
  try {
    return await first(at);
  } catch (error) {
    if (isFault(error) && error.retryable) throw error;
    return finish(at, rpcErrorOf(toFault(error)));
  }
};

const first = async (at: At) => {
  const command = readCommand(at.turn.text);
  const said = command === undefined ? await talk(at) : await runCommand(command, at);
  if (said === undefined) return (await clarified(at)) ?? submitGoal(at);
  await say(at, { event: 'said', turn: at.turn.id, ...said });
  return finish(at);
};

/** A bug says nothing of the inside. */
const rpcErrorOf = (fault: HcaFault): { code: number; message: string } => {
  if (fault.code === 'HcaInternal') return { code: acpCode(fault), message: 'something is wrong inside hca' };
  return { code: acpCode(fault), message: fault.remedy ? `${fault.message} (${fault.remedy})` : fault.message };
};
