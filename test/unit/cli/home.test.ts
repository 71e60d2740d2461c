// Where the home is when nobody says so: never a folder relative to where one happens to be, which would be inside the workspace.
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { defaultHome } from '#local/home.ts';

describe('the default home', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('is where HCA_HOME or XDG_DATA_HOME says', () => {
    expect(defaultHome({ HCA_HOME: '/a/b' })).toBe('/a/b');
    expect(defaultHome({ XDG_DATA_HOME: '/data' }, 'linux')).toBe('/data/hca');
  });

  it.each(['linux', 'darwin'])('is absolute on %s whatever HOME and XDG_DATA_HOME hold', (platform) => {
    vi.stubEnv('HOME', '');
    for (const data of ['', 'relative', undefined]) {
      expect(path.isAbsolute(defaultHome({ XDG_DATA_HOME: data }, platform)), String(data)).toBe(true);
    }
  });
});
