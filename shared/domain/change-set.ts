// File states and change sets as values: building, comparing, laying one set over a tree (architecture 9 Sandbox).
import type { ChangeSet, FileChange, FileMode, FileState } from '#shared/contracts/workspace.ts';
import { sha256Hex } from '#shared/domain/digest.ts';

/** State of a file from its bytes: text when it is UTF-8 without NUL that survives the round trip, else base64. */
export function fileState(bytes: Uint8Array, mode: FileMode, sha256: string = sha256Hex(bytes)): FileState {
  const text = asText(bytes);
  return text === null ? { mode, sha256, base64: toBase64(bytes) } : { mode, sha256, text };
}

/** The bytes of a state. */
export function stateBytes(state: FileState): Uint8Array {
  if (state.text !== undefined) return new TextEncoder().encode(state.text);
  return Uint8Array.from(atob(state.base64 ?? ''), (char) => char.charCodeAt(0));
}

/** Same content and same mode; two absent files are the same. */
export function sameState(left: FileState | null, right: FileState | null): boolean {
  if (left === null || right === null) return left === right;
  return left.sha256 === right.sha256 && left.mode === right.mode;
}

/** A change set with its files in path order and without changes that change nothing. */
export function changeSet(base: string, files: readonly FileChange[]): ChangeSet {
  const real = files.filter((file) => !sameState(file.before, file.after));
  return { base, files: real.sort((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path))) };
}

function asText(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** In slices, because one call with a million arguments overflows the stack. */
function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(binary);
}
