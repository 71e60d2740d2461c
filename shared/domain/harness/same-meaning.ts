// Whether a file was only laid out anew: a formatter may do that even to protected files.
import type { FileChange } from '#shared/contracts/workspace.ts';

/** True when both sides say the same: equal JSON, or JavaScript that differs in space, quotes, semicolons and trailing commas only. */
export function sameMeaning({ path, before, after }: FileChange): boolean {
  if (before?.text === undefined || after?.text === undefined || before.mode !== after.mode) return false;
  if (/\.json$/.test(path)) return sameJson(before.text, after.text);
  if (/\.jsonc$/.test(path) || /\.[cm]?[jt]sx?$/.test(path)) return bare(before.text) === bare(after.text);
  return before.text.trimEnd() === after.text.trimEnd();
}

function sameJson(before: string, after: string): boolean {
  try {
    return JSON.stringify(JSON.parse(before)) === JSON.stringify(JSON.parse(after));
  } catch {
    return bare(before) === bare(after);
  }
}

/** Strings and comments are kept whole; a template literal keeps its space too. */
const TOKENS = /(["'`])((?:\\.|(?!\1)[^\\])*)\1|\/\/[^\n]*|\/\*[\s\S]*?\*\/|\s+/g;

function bare(text: string): string {
  const packed = text.replaceAll(TOKENS, (token: string, quote: string | undefined, inner: string | undefined) => {
    if (quote === '`') return token;
    if (quote !== undefined) return JSON.stringify((inner ?? '').replaceAll(/\\(["'])/g, '$1'));
    return token.startsWith('/') ? token.trim() : '';
  });
  return packed
    .replaceAll(/;/g, '')
    .replaceAll(/,([)\]}])/g, '$1')
    .replaceAll(/\(([\w$]+)\)=>/g, '$1=>');
}
