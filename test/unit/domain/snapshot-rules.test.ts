// Names that a snapshot leaves out, however they are written and however deep they are.
import { describe, expect, test } from 'vitest';
import { isRepositoryName, isSecretPath } from '#shared/domain/snapshot-rules.ts';

const DEEP = 'd/'.repeat(50);

describe('a repository’s own folder', () => {
  test.each([
    '.git',
    '.GIT',
    '.Git',
    '.g\u200cit',
    '.git.',
    '.git ',
    'git~1',
    'GIT~2',
    '.git::$INDEX_ALLOCATION',
    '.HG',
  ])('%j is one to some file system', (name) => expect(isRepositoryName(name)).toBe(true));
  test.each(['git', '.gitignore', '.github', 'a.git', '.gitx', 'git~', '..git'])('%j is none', (name) =>
    expect(isRepositoryName(name)).toBe(false),
  );
});

describe('a secret by its name', () => {
  test.each(['.env', '.env.local', 'server.pem', 'id_rsa', '.docker/config.json', '.aws'])(
    '%s, at any depth',
    (path) => {
      expect(isSecretPath(path)).toBe(true);
      expect(isSecretPath(DEEP + path)).toBe(true);
    },
  );
  test.each(['env', '.docker/other.json', 'x.docker/config.json', '.env/readme', 'a.pem/b'])('not %s', (path) => {
    expect(isSecretPath(path)).toBe(false);
    expect(isSecretPath(DEEP + path)).toBe(false);
  });
});
