// The targets of a Makefile, as far as their recipes can be read without make.

/** Targets by name; the text joins prerequisites (as `make x`) and recipe lines with `&&`. Variables are left as they are. */
export function targetsOf(makefile: string): Record<string, string> {
  const targets: Record<string, string[]> = {};
  let current: string[] | null = null;
  for (const line of makefile.replaceAll('\\\n', ' ').split('\n')) {
    if (line.startsWith('\t')) current?.push(...recipeOf(line));
    else if (line.trim() !== '' && !line.startsWith('#')) current = opened(line, targets);
  }
  return Object.fromEntries(Object.entries(targets).map(([name, lines]) => [name, lines.join(' && ')]));
}

const RULE = /^([A-Za-z0-9][\w./:-]*?)\s*::?(?![=:])\s*([^=#]*)(?:#.*)?$/;

function opened(line: string, targets: Record<string, string[]>): string[] | null {
  const rule = RULE.exec(line);
  if (rule === null || rule[1] === undefined) return null;
  const needs = (rule[2] ?? '').split(/\s+/).filter((word) => /^[\w-]+$/.test(word));
  const lines = targets[rule[1]] ?? [];
  lines.push(...needs.map((name) => `make ${name}`));
  targets[rule[1]] = lines;
  return lines;
}

function recipeOf(line: string): string[] {
  const text = line.trim().replace(/^[@+-]+\s*/, '');
  return text === '' || text.startsWith('#') || text.startsWith('echo ') ? [] : [text];
}
