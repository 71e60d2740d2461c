// A command in a remote session: the script that runs it within its bounds there, and what that script reports. Needs GNU coreutils.
import * as z from 'zod';
import { HcaFault } from '#shared/contracts/errors.ts';
import type { RunOutcome, RunRequest } from '#shared/ports/sandbox.ts';
import { notOpen } from './remote-scripting.ts';
import { quoted, within } from './shell-words.ts';

/** `id` names the run's own folder, `stdin` an uploaded file. `netless`: the server can take the network away from a command, and the policy asks for it. */
export type RemoteRun = {
  session: string;
  id: string;
  request: RunRequest;
  cwd: string;
  stdin: string | null;
  netless: boolean;
  memory_bytes: number | null;
};

/**
 * The output goes through pipes that hash and count all of it and keep head and tail, so that no command fills the disk. One watcher ends the
 * command's process group: at its time limit, when asked through the pipe `stop`, and when this script itself is killed (it then
 * reads the end of the pipe). What a stray holds open after the end is not waited for.
 */
export function runScript(run: RemoteRun): string {
  const half = Math.max(1, Math.floor(run.request.output_bytes / 2));
  return within(
    run.session,
    `cd -P -- "$W"/${quoted(run.cwd, 'cwd')} 2>/dev/null || { echo cwd; exit 0; }
here=$(pwd -P)
case "$here/" in "$W"/*) ;; *) echo cwd; exit 0;; esac
D="$S/runs/${run.id}"
mkdir -p "$D" && cd "$D" && mkfifo stop o.in o.sha o.len o.cut e.in e.sha e.len e.cut || exit 1
exec 9<>stop
tees= readers=
pump() {
  sha256sum <"$1.sha" >"$1.hash" 2>/dev/null 9>&- & readers="$readers $!"
  wc -c <"$1.len" >"$1.bytes" 2>/dev/null 9>&- & readers="$readers $!"
  { head -c ${half} >"$1.head"; tail -c ${half} >"$1.tail"; } <"$1.cut" 2>/dev/null 9>&- & readers="$readers $!"
  tee "$1.sha" "$1.len" <"$1.in" >"$1.cut" 2>/dev/null 9>&- & tees="$tees $!"
}
pump o; pump e
began=$(date +%s%N)
( cd "$here" && exec setsid ${commandLine(run)} ) <${quoted(run.stdin ?? '/dev/null')} >o.in 2>e.in 9>&- &
pid=$!
( timeout ${Math.max(0.001, run.request.timeout_ms / 1000)} sh -c 'read -r _ <stop'; c=$?
  [ -e done ] && exit 0
  if [ "$c" = 124 ]; then echo t >why; else echo i >why; fi
  kill -9 "-$pid" ) >/dev/null 2>&1 9>&- & watcher=$!
wait "$pid"; code=$?
took=$(( ($(date +%s%N) - began) / 1000000 ))
: >done; echo x >&9
kill -9 "-$pid" 2>/dev/null
wait "$watcher"
( sleep 0.5; kill $tees ) >/dev/null 2>&1 9>&- &
wait $tees; wait $readers
[ -e why ] || echo n >why
printf 'ran\\n%s\\n%s\\n%s\\n' "$code" "$(cat why)" "$took"
for n in o e; do
  printf '%.64s\\n%s\\n%s\\n%s\\n' "$(cat $n.hash)" "$(cat $n.bytes)" "$(base64 -w0 $n.head)" "$(base64 -w0 $n.tail)"
done
cd / && rm -rf -- "$D"${run.stdin === null ? '' : ` ${quoted(run.stdin)}`}
`,
  );
}

/** What the script said. @throws HcaFault HcaNotFound, HcaBadInput (`cwd`), HcaSandbox */
export function readReport(answer: { exit_code: number; stdout: string; stderr: string }, run: RemoteRun): Report {
  const [word, ...lines] = answer.stdout.split('\n');
  if (word === 'gone') throw notOpen();
  if (word === 'cwd') {
    const message = `there is no folder "${run.request.cwd ?? '.'}" in the session`;
    throw new HcaFault('HcaBadInput', { message, field: 'cwd' });
  }
  const report = Lines.safeParse(lines);
  if (word !== 'ran' || !report.success) {
    const said = answer.stderr.slice(0, 500);
    throw new HcaFault('HcaSandbox', {
      message: `the agent-server could not run the command (exit ${answer.exit_code}): ${said}`,
      field: 'sandbox',
      remedy: 'the server needs sh, GNU coreutils, findutils, tar and util-linux',
    });
  }
  return outcomeOf(report.data);
}

export type Report = Omit<RunOutcome, 'started_at' | 'confinement'>;

const Hash = z.string().regex(/^[0-9a-f]{64}$/);
const Count = z.coerce.number().int().nonnegative();
const Stream = [Hash, Count, z.base64(), z.base64()] as const;
const Lines = z.tuple([Count, z.enum(['n', 't', 'i']), Count, ...Stream, ...Stream], z.string());
type Lines = z.infer<typeof Lines>;

/** A command that a signal ended has the exit code that a shell gives it, 128 and the signal. */
function outcomeOf([code, why, duration_ms, o_hash, o_bytes, o_head, o_tail, ...rest]: Lines): Report {
  const [e_hash, e_bytes, e_head, e_tail] = rest;
  const [out, err] = [joined(o_bytes, o_head, o_tail), joined(e_bytes, e_head, e_tail)];
  return {
    exit_code: why === 'n' ? code : null,
    signal: why === 'n' ? null : 'SIGKILL',
    timed_out: why === 't',
    interrupted: why === 'i',
    stdout: out.text,
    stderr: err.text,
    stdout_sha256: o_hash,
    stderr_sha256: e_hash,
    stdout_bytes: o_bytes,
    stderr_bytes: e_bytes,
    truncated: out.truncated || err.truncated,
    duration_ms,
  };
}

function joined(bytes: number, head64: string, tail64: string): { text: string; truncated: boolean } {
  const [head, tail] = [Buffer.from(head64, 'base64'), Buffer.from(tail64, 'base64')];
  const missing = bytes - head.length - tail.length;
  if (missing <= 0) return { text: Buffer.concat([head, tail]).toString('utf8'), truncated: false };
  return {
    text: `${head.toString('utf8')}\n[... ${missing} bytes left out ...]\n${tail.toString('utf8')}`,
    truncated: true,
  };
}

/** The environment is made anew, so that no secret of the server reaches a command; the mark is how strays are found. */
function commandLine({ request, netless, memory_bytes }: RemoteRun): string {
  const argv = typeof request.command === 'string' ? ['/bin/sh', '-c', request.command] : request.command;
  const [env, limits] = [
    environment(request.env ?? {}),
    memory_bytes === null ? '' : `ulimit -d ${Math.floor(memory_bytes / 1024)} 2>/dev/null; `,
  ];
  const alone = netless ? 'unshare -cn ' : '';
  const words = argv.map((word) => quoted(word)).join(' ');
  return `env -i --default-signal=INT,QUIT ${env} ${alone}sh -c '${'ulimit -c 0 2>/dev/null; '}${limits}exec "$@"' sh ${words}`;
}

/** Tools of the workspace come first: packages of its own, virtual environments at its top. */
const PATH =
  '"PATH=$here/node_modules/.bin:$W/node_modules/.bin:$W/.venv/bin:$W/venv/bin:$PATH" "HOME=$S/home" "TMPDIR=$S/tmp" LANG=C.UTF-8 CI=true NO_COLOR=1';

function environment(given: Readonly<Record<string, string>>): string {
  const odd = Object.keys(given).find((name) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name));
  if (odd !== undefined)
    throw new HcaFault('HcaBadInput', { message: `"${odd}" is no name of an environment variable`, field: 'env' });
  const pairs = Object.entries(given).map(([name, value]) => quoted(`${name}=${value}`, 'env'));
  return [PATH, ...pairs, '"HCA_WORK=$S"'].join(' ');
}
