// Templates: JSON in which strings of the form `{% JSONata %}` are computed. Compiled once, at load.
import { isAst } from '#local/asl/ast.ts';
import type { Eval, Expressions } from '#local/asl/expressions.ts';
import { join, type Problems } from '#local/asl/problems.ts';

/** The parts of `$states` that exist where a template stands. */
export type StatesPart = 'input' | 'result' | 'errorOutput' | 'context';

/** Where a template stands in the file and what it may read there. */
export interface Site {
  readonly path: string;
  readonly allowed: readonly StatesPart[];
  /** Variables that some state of this scope or of an outer one assigns. */
  readonly variables: ReadonlySet<string>;
}

/** Compiles templates of one machine and notes what is wrong with them. */
export class Templates {
  readonly #expressions: Expressions;
  readonly #problems: Problems;

  constructor(expressions: Expressions, problems: Problems) {
    this.#expressions = expressions;
    this.#problems = problems;
  }

  /** A template of any JSON shape. */
  compile(value: unknown, site: Site): Eval {
    if (typeof value === 'string') return this.#text(value, site);
    if (Array.isArray(value)) return this.#array(value, site);
    return isAst(value) ? this.#object(value, site) : () => value;
  }

  /** Like compile; an absent field stays absent. */
  optional(value: unknown, site: Site): Eval | undefined {
    return value === undefined ? undefined : this.compile(value, site);
  }

  #text(text: string, site: Site): Eval {
    const opens = text.startsWith('{%');
    if (opens !== text.endsWith('%}')) {
      this.#problems.add(site.path, 'an expression starts with {% and ends with %}; add the missing half');
    }
    return opens ? this.#expression(text.slice(2, -2), site) : () => text;
  }

  #expression(text: string, site: Site): Eval {
    try {
      const expression = this.#expressions.compile(text);
      this.#checkReads(expression, site);
      return expression.evaluate;
    } catch (thrown) {
      this.#problems.add(site.path, thrown instanceof Error ? thrown.message : String(thrown));
      return () => undefined;
    }
  }

  #checkReads(reads: { variables: ReadonlySet<string>; states: ReadonlySet<string> }, site: Site): void {
    for (const name of reads.variables) {
      if (site.variables.has(name)) continue;
      this.#problems.add(
        site.path,
        `$${name} is assigned nowhere in this scope; add it to an Assign or correct the name`,
      );
    }
    const allowed = new Set<string>(site.allowed);
    for (const part of reads.states) {
      if (allowed.has(part)) continue;
      const options = site.allowed.map((name) => `$states.${name}`).join(', ');
      this.#problems.add(site.path, `$states.${part} does not exist here; read ${options}`);
    }
  }

  #array(values: readonly unknown[], site: Site): Eval {
    const items = values.map((value, index) => this.compile(value, { ...site, path: join(site.path, [index]) }));
    return (env) => {
      const computed = items.map((item) => item(env));
      return computed.some(isPending) ? Promise.all(computed) : computed;
    };
  }

  #object(value: Readonly<Record<string, unknown>>, site: Site): Eval {
    const fields = Object.entries(value).map(([key, inner]) => this.#field(key, inner, site));
    return (env) => {
      const computed = fields.map(([key, field]): [string, unknown] => [key, field(env)]);
      return computed.some(([, part]) => isPending(part)) ? settled(computed) : Object.fromEntries(computed);
    };
  }

  #field(key: string, value: unknown, site: Site): [string, Eval] {
    const path = join(site.path, [key]);
    if (key.endsWith('.$')) this.#problems.add(path, 'JSONPath is not known here; write "key": "{% JSONata %}"');
    return [key, this.compile(value, { ...site, path })];
  }
}

/** True for a value that jsonata is still computing. */
export function isPending(value: unknown): value is Promise<unknown> {
  return value instanceof Promise;
}

async function settled(fields: readonly [string, unknown][]): Promise<unknown> {
  const parts = await Promise.all(fields.map(([, part]) => part));
  return Object.fromEntries(fields.map(([key], index) => [key, parts[index]]));
}
