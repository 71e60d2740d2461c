// A door whose tasks change one file, and which notes what is written to the folder.
import type { ChangeSet } from '#shared/contracts/workspace.ts';
import { changeSet, fileState } from '#shared/domain/change-set.ts';
import { type TestDoor, testDoor } from './door.ts';

export const bytes = (text: string) => fileState(new TextEncoder().encode(text), 'file');

export const BEFORE = 'old\n';
export const AFTER = 'new\n';
const CHANGE = changeSet('0'.repeat(64), [{ path: 'sum.js', before: bytes(BEFORE), after: bytes(AFTER) }]);

/** `sum.js` goes from `old` to `new`, unless another change is given, and not before `held` resolves. */
export const changingDoor = async (
  { change = CHANGE, ...options }: Parameters<typeof testDoor>[0] & { change?: ChangeSet } = {},
  held: Promise<void> = Promise.resolve(),
): Promise<{ at: TestDoor; applied: string[] }> => {
  const applied: string[] = [];
  const at = await testDoor({
    ...options,
    sandbox: {
      archive: async () => {
        await held;
        return change;
      },
    },
    workspaces: {
      apply: async (folder, changes, mode) => {
        const files = changes.files.map(({ path }) => path);
        applied.push(`${mode} ${folder} ${files.join()}`);
        return { applied: files };
      },
    },
  });
  return { at, applied };
};
