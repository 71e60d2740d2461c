// What every store of harness packages does: packages that come with hca, and those that are put in their place and taken back.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { HarnessPackage } from '#shared/contracts/profile.ts';
import { certification, codeFix } from '#test/support/code-fix.ts';
import type { Opened } from './opened.ts';

/** `shipped` is what comes with hca. `again`: the same store as another process finds it. */
type Store = Opened<'profiles'> & { again(): Promise<Pick<Opened<'profiles'>, 'profiles'>> };

export const profilesSuite = (name: string, open: (shipped: HarnessPackage[]) => Promise<Store>): void => {
  const own = (version: number): HarnessPackage => ({ ...certification, version, title: `our own, ${version}` });

  describe(`harness packages: ${name}`, () => {
    let store: Store;
    beforeEach(async () => {
      store = await open([certification, codeFix]);
    });
    afterEach(() => store.close());

    test('those that come with hca are there, and none was put', async () => {
      const { profiles } = store;
      expect(await profiles.all()).toEqual([certification, codeFix]);
      expect(await profiles.names()).toEqual(['certification', 'code-fix']);
      expect(await profiles.shipped()).toEqual([certification, codeFix]);
      expect(await profiles.own()).toEqual([]);
      expect(await profiles.load('code-fix')).toEqual(codeFix);
    });

    test('one that is put stands in the place of one of its name, and goes again', async () => {
      const { profiles } = store;
      await profiles.put(own(2));
      expect(await profiles.load('certification')).toEqual(own(2));
      expect(await profiles.all()).toEqual([own(2), codeFix]);
      expect(await profiles.shipped()).toEqual([certification, codeFix]);
      expect(await profiles.own()).toEqual([own(2)]);
      expect(await profiles.remove('certification')).toBe(true);
      expect(await profiles.load('certification')).toEqual(certification);
      expect(await profiles.remove('certification')).toBe(false);
      expect(await profiles.own()).toEqual([]);
    });

    test('one with a new name is added, in the order of names, and another process finds it', async () => {
      await store.profiles.put({ ...own(1), name: 'brand-new' });
      expect(await store.profiles.names()).toEqual(['brand-new', 'certification', 'code-fix']);
      const { profiles } = await store.again();
      expect(await profiles.load('brand-new')).toEqual({ ...own(1), name: 'brand-new' });
      await profiles.put({ ...own(2), name: 'brand-new' });
      expect(await profiles.remove('brand-new')).toBe(true);
      expect(await profiles.names()).toEqual(['certification', 'code-fix']);
    });

    test('of two that are put at once with one version, one is told that it lost', async () => {
      const { profiles } = store;
      await profiles.put(own(2));
      const ends = await Promise.allSettled([profiles.put(own(3)), profiles.put({ ...own(3), title: 'another' })]);
      expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      await expect(profiles.put(own(2))).rejects.toMatchObject({ code: 'HcaConflict', field: 'version' });
      expect((await profiles.load('certification')).version).toBe(3);
      await profiles.put(own(4));
      expect(await profiles.load('certification')).toEqual(own(4));
    });

    test('one that is not sound is refused with its field, and nothing changes', async () => {
      const { profiles } = store;
      const broken = { ...own(2), version: -1 };
      await expect(profiles.put(broken)).rejects.toMatchObject({ code: 'HcaBadInput', field: 'version' });
      const [tool] = certification.tools;
      const stray = { ...own(2), tools: [{ ...tool!, families: ['nobody'] }] };
      await expect(profiles.put(stray)).rejects.toMatchObject({ code: 'HcaBadInput', field: 'tools.accept.families' });
      expect(await profiles.all()).toEqual([certification, codeFix]);
    });

    test('an unknown name says which there are; none is removed by it', async () => {
      const { profiles } = store;
      await expect(profiles.load('../certification')).rejects.toMatchObject({
        code: 'HcaNotFound',
        remedy: 'one of: certification, code-fix',
      });
      expect(await profiles.remove('../certification')).toBe(false);
    });
  });
};
