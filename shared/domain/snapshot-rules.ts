// What of a folder never goes into a snapshot, by name: repositories, secrets, folders that a package manager fills (architecture 11).
import { firstMatch } from '#shared/domain/glob.ts';

export const REPOSITORIES: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', '.jj']);

export const DEPENDENCIES: ReadonlySet<string> = new Set([
  'node_modules',
  'bower_components',
  '.venv',
  'venv',
  '.tox',
  '.nox',
  '__pycache__',
  '.yarn',
]);

/** `target` is a build folder only beside the file of the tool that makes it. */
export const TARGET_OWNERS: readonly string[] = ['Cargo.toml', 'pom.xml', 'build.sbt'];

const SECRETS = [
  '**/.env*',
  '**/*.pem',
  '**/*.key',
  '**/*.p12',
  '**/*.pfx',
  '**/*.jks',
  '**/*.keystore',
  '**/id_rsa*',
  '**/id_dsa*',
  '**/id_ecdsa*',
  '**/id_ed25519*',
  '**/.netrc',
  '**/.pypirc',
  '**/.git-credentials',
  '**/.aws',
  '**/.ssh',
  '**/.gnupg',
  '**/.docker/config.json',
]; // prettier-ignore

/** True for a path that is a secret by its name. */
export const isSecretPath = (path: string): boolean => firstMatch(SECRETS, path) !== null;

/** True for the text of an `.npmrc` that lets its reader in somewhere. */
export const holdsToken = (text: string): boolean => /_auth|_password/i.test(text);
