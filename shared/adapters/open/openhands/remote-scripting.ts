// Runs our scripts in a remote session: short ones go as they are, long ones as an uploaded file, since one argument has a limit.
import { randomUUID } from 'node:crypto';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { AgentServerClient, ShellAnswer } from './server-client.ts';
import type { RemoteFolders } from './session-record.ts';
import { quoted } from './shell-words.ts';

/** A session as scripts see it. */
export type RemotePlace = { client: AgentServerClient; folders: RemoteFolders };

/** Linux takes 128 KiB for one argument. */
const ARGUMENT_BYTES = 100_000;

/** Our own scripts look at files; the largest session takes seconds. */
const SCRIPT_MS = 300_000;

/** The script's answer, whatever its words. @throws HcaFault HcaNotFound when the session's folder has gone */
export async function runRemote(place: RemotePlace, script: string, timeout_ms = SCRIPT_MS): Promise<ShellAnswer> {
  const { client, folders } = place;
  const answer = await client.shell(await fitting(place, script), { cwd: folders.top, timeout_ms });
  if (answer.exit_code === -1 && (await client.download(folders.record)) === null) throw notOpen();
  if (answer.exit_code < -1) throw killed(client.origin, -answer.exit_code);
  return answer;
}

/** A command has a session of its own, so a signal for our script was not its doing: the server ends, or its memory does. */
const killed = (origin: string, signal: number): HcaFault =>
  new HcaFault('HcaUnavailable', {
    message: `the agent-server at ${origin} ended a script of the sandbox with signal ${signal}`,
    field: 'sandbox',
    remedy: 'see that the server has memory enough, and runs',
  });

export const notOpen = (): HcaFault => new HcaFault('HcaNotFound', { message: 'the session is not open', field: 'id' });

async function fitting({ client, folders }: RemotePlace, script: string): Promise<string> {
  if (Buffer.byteLength(script) <= ARGUMENT_BYTES) return script;
  const file = folders.up(`${randomUUID()}.sh`);
  await client.upload(file, bytesOf(script));
  return `sh ${quoted(file)}; c=$?; rm -f ${quoted(file)}; exit $c`;
}

/** Lines of the answer of one of our scripts. @throws HcaFault HcaNotFound for a session that is not open, HcaSandbox when it failed */
export async function askRemote(place: RemotePlace, script: string): Promise<string> {
  const answer = await runRemote(place, script);
  if (answer.stdout.startsWith('gone')) throw notOpen();
  if (answer.exit_code === 0) return answer.stdout;
  const message = `a script of the sandbox failed on the agent-server (exit ${answer.exit_code}): ${answer.stderr.slice(0, 500)}`;
  const remedy = 'the server needs sh, GNU coreutils, findutils, tar and util-linux';
  throw new HcaFault('HcaSandbox', { message, field: 'sandbox', remedy });
}

export const bytesOf = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text, 'utf8'));
