// Faults about trees and their content that every store says alike.
import { HcaFault } from '#shared/contracts/errors.ts';
import { TreeEntry, TreeId } from '#shared/contracts/workspace.ts';
import { treeProblem } from '#shared/domain/tree.ts';

/** Hashes as they may be used in a key or a path, each once. @throws HcaFault HcaBadInput for what is none */
export const checkedHashes = (hashes: readonly string[]): string[] => {
  const bad = hashes.find((hash) => !TreeId.safeParse(hash).success);
  if (bad === undefined) return [...new Set(hashes)];
  throw new HcaFault('HcaBadInput', {
    message: `"${bad.slice(0, 100)}" is no SHA-256`,
    field: 'sha256',
    remedy: 'give 64 hexadecimal digits in lower case',
  });
};

/** Refuses what is no tree. @throws HcaFault HcaBadInput naming the entry */
export const checkTree = (entries: readonly TreeEntry[]): void => {
  const bad = entries.find((entry) => !TreeEntry.safeParse(entry).success);
  const problem = bad === undefined ? treeProblem(entries) : NO_ENTRY;
  if (problem === null) return;
  const { message, ...rest } = problem;
  throw new HcaFault('HcaBadInput', {
    ...rest,
    message: bad === undefined ? message : `${message}: "${String(bad.path).slice(0, 300)}"`,
  });
};

const NO_ENTRY = {
  field: 'entries',
  message: 'this is no entry of a tree',
  remedy: 'give a relative path, a mode, the SHA-256 and the size',
};

/** A tree whose content is not there, or is another size than it says: what is to be sent first. */
export const contentMissing = (lacking: readonly TreeEntry[]): HcaFault =>
  new HcaFault('HcaBadInput', {
    message: `the content of ${lacking.length} entries is not here in the size they say, "${lacking[0]?.path}" the first`,
    field: 'entries',
    remedy: 'send what is missing, then the tree again; what is here already is not sent again',
  });

/** A tree that nobody stored. */
export const noTree = (tree: string, cause?: unknown): HcaFault =>
  new HcaFault('HcaNotFound', { message: `there is no snapshot ${tree}`, field: 'tree', cause });
