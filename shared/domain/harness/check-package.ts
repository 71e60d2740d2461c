// Whether a harness package holds together: what one file names must be in the other (requirements section 6, Specialist harness).
import type { HarnessPackage, TaskFamily } from '#shared/contracts/profile.ts';

/** One fault: the field at fault and what is wrong with it. */
export type PackageFault = { field: string; message: string };

/** Most bytes of a package as JSON: it is one record of the house, and read whole for every plan. The largest of ours has 40 KB. */
const MOST_BYTES = 256 * 1024;

/** Names that lead nowhere, names given twice, and a package that is too large. Empty for a sound package. */
export function packageFaults(harness: HarnessPackage): PackageFault[] {
  const templates = new Set(harness.criteria.map(({ name }) => name));
  const families = new Set(harness.families.map(({ name }) => name));
  return [
    ...tooLarge(harness),
    ...twice('families', harness.families),
    ...twice('tools', harness.tools),
    ...twice('criteria', harness.criteria),
    ...harness.families.flatMap((family) => grammarFaults(family, templates)),
    ...harness.tools.flatMap((tool) =>
      tool.families
        .filter((name) => !families.has(name))
        .map((name) => ({ field: `tools.${tool.name}.families`, message: `there is no family "${name}"` })),
    ),
    ...harness.families
      .filter((family) => !harness.tools.some((tool) => tool.families.includes(family.name)))
      .map(({ name }) => ({ field: `families.${name}`, message: 'no frozen tool works on it' })),
  ];
}

function tooLarge(harness: HarnessPackage): PackageFault[] {
  const { length } = new TextEncoder().encode(JSON.stringify(harness));
  if (length <= MOST_BYTES) return [];
  return [{ field: 'package', message: `it has ${length} bytes, at most ${MOST_BYTES} are taken` }];
}

function twice(list: string, entries: readonly { name: string }[]): PackageFault[] {
  const names = entries.map(({ name }) => name);
  const repeated = new Set(names.filter((name, at) => names.indexOf(name) !== at));
  return [...repeated].map((name) => ({ field: `${list}.${name}`, message: 'this name is there twice' }));
}

function grammarFaults({ name, grammar }: TaskFamily, templates: ReadonlySet<string>): PackageFault[] {
  return Object.entries(grammar).flatMap(([rule, lines]) =>
    lines.flatMap((line) => {
      const field = `families.${name}.grammar.${rule}`;
      const [wording = '', meaning] = line.split(/=>>?/);
      const called = [...wording.matchAll(/<([^>]*)>/g)].map((match) => match[1] ?? '');
      const unknown = called.filter((one) => grammar[one] === undefined);
      const template = meaning?.trim().split(/\s+/)[0];
      const missing = template !== undefined && !templates.has(template);
      return [
        ...unknown.map((one) => ({ field, message: `there is no rule <${one}>` })),
        ...(missing ? [{ field, message: `there is no criteria template "${template}"` }] : []),
        ...(called[0] === rule && wording.trim().startsWith(`<${rule}>`)
          ? [{ field, message: 'a rule cannot begin with itself' }]
          : []),
      ];
    }),
  );
}
