// Loading a machine file: substitution of function names, shapes, flow, variables, expressions. Everything that is not
// known is an error here, with path and remedy, and never ignored later (architecture section 9).
import { buildGraph } from '#local/asl/build.ts';
import { MachineShape } from '#local/asl/definition.ts';
import { Expressions } from '#local/asl/expressions.ts';
import { checkFlow } from '#local/asl/flow.ts';
import type { Machine } from '#local/asl/nodes.ts';
import { AslDefinitionError, Problems } from '#local/asl/problems.ts';
import { readScope } from '#local/asl/scope-shape.ts';
import { substitute } from '#local/asl/substitute.ts';
import { Templates } from '#local/asl/template.ts';
import { checkVariables } from '#local/asl/variables.ts';

/** What is loaded: the parsed JSON of the file, under a name, and what each `${name}` in it stands for. */
export interface Definition {
  readonly name: string;
  readonly json: unknown;
  readonly functions: Readonly<Record<string, string>>;
}

/** Loads a machine. Throws AslDefinitionError that lists every problem found. */
export function loadMachine(definition: Definition): Machine {
  const problems = new Problems();
  const json = substitute(definition.json, definition.functions, problems);
  const shape = problems.parse(MachineShape, json, '');
  const scope = shape === undefined ? undefined : readScope(shape, '', problems);
  if (shape === undefined || scope === undefined || problems.found.length > 0) throw refusal(definition, problems);
  checkFlow(scope, problems);
  const variables = checkVariables(scope, problems);
  const graph = buildGraph(scope, { templates: new Templates(new Expressions(), problems), problems, variables });
  if (problems.found.length > 0) throw refusal(definition, problems);
  return { name: definition.name, graph, timeoutSeconds: shape.TimeoutSeconds };
}

function refusal(definition: Definition, problems: Problems): AslDefinitionError {
  return new AslDefinitionError(definition.name, problems.found);
}
