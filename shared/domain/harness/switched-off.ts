// Finds what a change adds to switch checks off instead of satisfying them: suppressions in the code, skipped tests.
import type { FileChange } from '#shared/contracts/workspace.ts';

/** Markers that the file has more of after the change than before; each is named once. */
export function switchedOff({ before, after }: FileChange): string[] {
  const now = after?.text;
  if (now === undefined) return [];
  return MARKERS.filter(({ shape }) => count(now, shape) > count(before?.text ?? '', shape)).map(({ name }) => name);
}

const MARKERS: readonly { name: string; shape: RegExp }[] = [
  { name: 'eslint-disable', shape: /eslint-disable/g },
  { name: 'oxlint-disable', shape: /oxlint-disable/g },
  { name: 'stylelint-disable', shape: /stylelint-disable/g },
  { name: 'biome-ignore', shape: /biome-ignore/g },
  { name: 'prettier-ignore', shape: /prettier-ignore/g },
  { name: '@ts-ignore', shape: /@ts-(?:ignore|nocheck|expect-error)/g },
  { name: 'noqa', shape: /#\s*(?:ruff:\s*)?noqa/gi },
  { name: 'type: ignore', shape: /#\s*type:\s*ignore/g },
  { name: 'fmt: off', shape: /#\s*fmt:\s*(?:off|skip)/g },
  { name: 'pylint: disable', shape: /pylint:\s*disable/g },
  { name: 'nolint', shape: /\/\/\s*nolint/g },
  { name: 'allow attribute', shape: /#!?\[allow\(/g },
  { name: 'skip', shape: /\b(?:it|test|describe|suite|context|t)\.(?:skip|todo|only|fixme)\b|\bskip:\s*true/g },
  { name: 'xit', shape: /\bx(?:it|describe|test)\(/g },
  { name: 'pytest skip', shape: /pytest\.(?:mark\.)?(?:skip|xfail)|unittest\.skip/g },
  { name: 't.Skip', shape: /\bt\.Skip(?:Now|f)?\(/g },
  { name: 'ignore attribute', shape: /#\[ignore/g },
];

const count = (text: string, shape: RegExp): number => text.match(shape)?.length ?? 0;
