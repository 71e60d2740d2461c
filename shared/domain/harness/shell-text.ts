// Command lines as text: cut into parts, test for an option, leave options out. No shell is run here.

/** Parts between `&&`, `;` and line ends, or null for a text that only a shell can understand (pipes, substitution, subshells). */
export function partsOf(text: string): string[] | null {
  const bare = text.replaceAll(/"[^"]*"|'[^']*'/g, (quoted) => '\u0001'.repeat(quoted.length));
  if (/[|`()<>]|\$|&(?!&)(?<!&&)/.test(bare.replaceAll('&&', '\n'))) return null;
  const parts: string[] = [];
  let from = 0;
  for (const cut of bare.matchAll(/&&|;|\n/g)) {
    parts.push(text.slice(from, cut.index));
    from = cut.index + cut[0].length;
  }
  parts.push(text.slice(from));
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** True when the text has the option as a word of its own, with or without a value behind `=`. */
export function hasOption(text: string, option: string): boolean {
  return text.split(/\s+/).some((word) => word === option || word.startsWith(`${option}=`));
}

/** The text without these options. */
export function withoutOptions(text: string, options: readonly string[]): string {
  const kept = text.split(/(\s+)/).filter((word) => !options.some((option) => hasOption(word, option)));
  return kept.join('').replaceAll(/ {2,}/g, ' ').trim();
}

/** True when the text begins with these words. */
export function beginsWith(text: string, words: string): boolean {
  return text === words || text.startsWith(`${words} `);
}

/** A relative folder as seen from another, `.` for the workspace itself; null when it leads out. */
export function folderFrom(dir: string, to: string): string | null {
  if (to.startsWith('/')) return null;
  const parts: string[] = [];
  for (const part of `${dir}/${to}`.split('/').filter((segment) => segment !== '.' && segment !== '')) {
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join('/') || '.';
}

/** Path of a file in a folder. */
export const inFolder = (dir: string, path: string): string => (dir === '.' ? path : `${dir}/${path}`);
