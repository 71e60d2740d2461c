// Content from a git server: fetched inside a sandbox session and nowhere else. A credential is named by who asks and read by the host; it is no
// argument of a command and in no journal.
import type { GitSource } from '#shared/contracts/acp-workspace.ts';
import { HcaFault, isFault } from '#shared/contracts/errors.ts';
import type { Workspace } from '#shared/contracts/offer.ts';
import type { Policy } from '#shared/contracts/policy.ts';
import { firstMatch } from '#shared/domain/glob.ts';
import { literalOf, type Reach, reachOf } from '#shared/net/addresses.ts';
import type { Secrets } from '#shared/ports/secrets.ts';
import { EMPTY_TREE } from '../loop/session.ts';
import type { Call } from './ports.ts';

type Asking = Pick<Call<'_hca/task/submit'>, 'principal' | 'door'>;

/** A large repository, over a slow line. */
const CLONE_MS = 10 * 60_000;

/** A server that cannot send only the newest commit sends all of them. */
const SCRIPT = `set -e
git init --quiet .
git fetch --quiet --depth 1 -- "$1" "$2" || git fetch --quiet -- "$1" "$2"
git checkout --quiet --detach FETCH_HEAD
rm -rf .git`;

/** @throws HcaFault HcaDenied by policy, HcaNotFound for a credential that nobody stored for this server, HcaBadInput when git could not fetch it */
export const cloneInto = async (git: GitSource, { principal, door }: Asking): Promise<Workspace> => {
  const { holons, clock } = door.ports;
  if (door.git === undefined) throw notHere();
  const { sandbox, secrets } = door.git;
  const url = new URL(git.url);
  checkPolicy(url, await holons.policy(principal.tenant));
  const secret = git.credential === undefined ? undefined : await secretFor(url, git.credential, secrets);
  const root = `/${url.host}${url.pathname.replace(/\.git$/, '')}`;
  const session = `clone-${clock.ulid()}`;
  await sandbox.open({ id: session, tree: EMPTY_TREE, workspace: '/workspace', network: true });
  try {
    const command = ['/bin/sh', '-c', SCRIPT, 'fetch', git.url, git.ref];
    const env = environment(secret);
    const ran = await sandbox.run(session, { command, env, timeout_ms: CLONE_MS, output_bytes: 8000 });
    if (ran.exit_code !== 0) throw notFetched(git, redact(ran.stderr, secret));
    return { root, tree: await sandbox.snapshot(session), elsewhere: true };
  } catch (error) {
    throw isFault(error) ? error : notFetched(git, '');
  } finally {
    await sandbox.close(session);
  }
};

/** A host is named by policy; one without TLS or in a network of its own in full, and nothing follows a redirect to another. */
const checkPolicy = (url: URL, { network }: Policy): void => {
  if (url.username !== '' || url.password !== '') {
    throw new HcaFault('HcaBadInput', {
      message: 'the address holds a credential',
      field: 'workspace.git.url',
      remedy: 'store it at the host under a name, and give that name as "credential"',
    });
  }
  const isNamed = network.access === 'allow' && firstMatch(network.hosts, url.hostname) !== null;
  const reach = reachOfHost(url.hostname);
  const isOpen = url.protocol === 'https:' && reach === 'public';
  if (isNamed && reach !== 'never' && (isOpen || network.hosts.includes(url.hostname))) return;
  throw new HcaFault('HcaDenied', {
    message: `policy does not allow ${url.protocol}//${url.hostname}`,
    field: 'workspace.git.url',
    remedy: 'add the host to "policy.network" of the holarchy, or hand over a folder',
  });
};

/** Whoever names a secret does not choose who is shown it: it is kept for one server, and in clear it goes to a network of the host's own at most. */
const secretFor = (url: URL, name: string, secrets: Secrets): Promise<string> => {
  if (url.protocol === 'https:' || reachOfHost(url.hostname) === 'private') return secrets.read(name, serverOf(url));
  throw new HcaFault('HcaDenied', {
    message: `a credential is not sent in clear to ${url.host}`,
    field: 'workspace.git.url',
    remedy: 'give its https address',
  });
};

/** Name and port; 443 goes without saying. */
const serverOf = ({ protocol, host, port }: URL): string => (port === '' && protocol === 'http:' ? `${host}:80` : host);

/** As for servers of an editor: no policy opens the addresses of a cloud's own services. */
const reachOfHost = (hostname: string): Reach => {
  if (/^(.+\.)?localhost\.?$/.test(hostname)) return 'private';
  const literal = literalOf(hostname);
  return literal === undefined ? 'public' : reachOf(literal);
};

/** Git asks nobody, reads nobody's settings, and speaks nothing but HTTP. */
const environment = (secret: string | undefined): Record<string, string> => {
  const settings: [string, string][] = [
    ['http.followRedirects', 'false'],
    ['protocol.allow', 'never'],
    ['protocol.https.allow', 'always'],
    ['protocol.http.allow', 'always'],
    ['safe.directory', '*'],
    ...(secret === undefined ? [] : [header(secret)]),
  ];
  const numbered = settings.flatMap(([key, value], n) => [
    [`GIT_CONFIG_KEY_${n}`, key],
    [`GIT_CONFIG_VALUE_${n}`, value],
  ]);
  return {
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(numbered),
  };
};

const header = (secret: string): [string, string] => ['http.extraHeader', `Authorization: Basic ${basicOf(secret)}`];

/** A token, or `name:password`. */
const basicOf = (secret: string): string => btoa(secret.includes(':') ? secret : `x-access-token:${secret}`);

const redact = (text: string, secret: string | undefined): string =>
  secret === undefined ? text : text.replaceAll(secret, '[redacted]').replaceAll(basicOf(secret), '[redacted]');

const notHere = (): HcaFault =>
  new HcaFault('HcaRefused', {
    message: 'this host fetches nothing from git servers',
    field: 'workspace.git',
    remedy: 'clone it on your own machine and run hca there: its content is handed over',
  });

const notFetched = ({ url, ref }: GitSource, said: string): HcaFault =>
  new HcaFault('HcaBadInput', {
    message: `${ref} of ${url} could not be fetched: ${said.trim().slice(-500) || 'git said nothing'}`,
    field: 'workspace.git',
    remedy: 'check address, ref and the name of the credential',
  });
