// What of a folder never goes into a snapshot, by name: repositories, secrets, folders that a package manager fills (architecture 11).
import { firstMatch } from '#shared/domain/glob.ts';

export const REPOSITORIES: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', '.jj']);

/** Whether some file system takes a name for a repository's: in any case, with signs that are not seen, with dots behind, by its short name. */
export const isRepositoryName = (name: string): boolean => {
  const seen = name
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/:.*$/s, '')
    .replace(/[. ]+$/, '');
  return REPOSITORIES.has(seen.toLowerCase()) || /^git~\d+$/i.test(seen);
};

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

/** True for a path that is a secret by its name. No rule looks further than its last two names, so a deep folder costs no more than another. */
export const isSecretPath = (path: string): boolean =>
  firstMatch(SECRETS, path.split('/').slice(-2).join('/')) !== null;

/** True for the text of an `.npmrc` that lets its reader in somewhere. */
export const holdsToken = (text: string): boolean => /_auth|_password/i.test(text);
