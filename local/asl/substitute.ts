// `${name}` in a machine file: the name of a function, replaced when the file is loaded (as CDK's definitionSubstitutions do).
import { isAst } from '#local/asl/ast.ts';
import type { Problems } from '#local/asl/problems.ts';

const NAME = /\$\{([A-Za-z0-9_-]+)\}/g;

/** A copy of the JSON with every `${name}` replaced; names that stand for nothing are noted. */
export function substitute(json: unknown, names: Readonly<Record<string, string>>, problems: Problems): unknown {
  if (typeof json === 'string') return json.replace(NAME, (whole, name: string) => resolve(whole, name));
  if (Array.isArray(json)) return json.map((item) => substitute(item, names, problems));
  if (!isAst(json)) return json;
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, substitute(value, names, problems)]));

  function resolve(whole: string, name: string): string {
    const replacement = Object.hasOwn(names, name) ? names[name] : undefined;
    if (replacement === undefined) problems.add('', `${whole} stands for no function; name one of the registered ones`);
    return replacement ?? whole;
  }
}
