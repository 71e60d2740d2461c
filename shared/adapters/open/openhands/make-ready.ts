// Making a remote session ready: what the workspace depends on is not handed over with it, but its lock file says what that is. It is installed where
// the policy opens the network, before the session goes live, and never where it does not (decision 73).
import type { TreeEntry } from '#shared/contracts/workspace.ts';
import type { RemotePlace } from './remote-scripting.ts';
import { quoted } from './shell-words.ts';

/** Lock files at the top of a workspace that npm installs from, workspaces of packages included. */
const LOCKS = ['npm-shrinkwrap.json', 'package-lock.json'];

/** Seconds. A session is opened within one invocation of a function, which has fifteen minutes. */
const INSTALL_S = 300;

const NOT_THERE = 'dependency folders of the original are not there';

/** What was done about the dependencies of the files in `stage`, in words for the evidence. An install that fails is told, not thrown: checks say the rest. */
export async function makeReady(
  { client, folders }: RemotePlace,
  stage: string,
  { entries, network }: { entries: readonly TreeEntry[]; network: boolean },
): Promise<string> {
  const lock = LOCKS.find((name) => entries.some(({ path }) => path === name));
  if (lock === undefined) return NOT_THERE;
  if (!network) return `${NOT_THERE}: ${lock} was not installed from, since the policy closes the network`;
  const script = installScript(stage, `${folders.top.slice(0, folders.top.lastIndexOf('/'))}/.hca-npm`);
  const answer = await client.shell(script, { cwd: folders.top, timeout_ms: (INSTALL_S + 30) * 1000 });
  const [code = '', ...said] = answer.stdout.trim().split('\n');
  if (code === '0') return `dependencies were installed from ${lock} with npm ci`;
  return `${NOT_THERE}: npm ci failed (exit ${code || answer.exit_code}): ${said.join(' ')}`.slice(0, 500);
}

/** Packages may run scripts, so the environment is made anew as it is for commands; of the server's npm it has the registry, not its credentials. */
const installScript = (stage: string, cache: string): string => `S=${quoted(stage)} C=${quoted(cache)}
cd "$S/work" || exit 1
command -v npm >/dev/null || { echo 127; echo 'there is no npm on the server'; exit 0; }
mkdir -p "$C" 2>/dev/null && [ -w "$C" ] || C="$S/tmp/npm"
R=$(npm config get registry 2>/dev/null)
env -i "PATH=$PATH" "HOME=$S/home" "TMPDIR=$S/tmp" LANG=C.UTF-8 CI=true "npm_config_cache=$C" \${R:+"npm_config_registry=$R"} \\
  timeout -k 5 ${INSTALL_S} npm ci --no-audit --no-fund >"$S/npm.out" 2>&1 </dev/null
echo $?; { grep '^npm error' "$S/npm.out" || cat "$S/npm.out"; } | sed 's/^npm error *//' | head -c 400; rm -f "$S/npm.out"
`;
