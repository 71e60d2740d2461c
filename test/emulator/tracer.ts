// A harness package whose task says which trace it runs in: what works writes it down, what judges compares it with its own. Written into a folder,
// as a person would have it.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stringify } from 'yaml';
import { readHarnessFolder } from '#local/read-harness.ts';

const EXAMPLE = path.resolve(import.meta.dirname, '../../examples/harnesses/greeter');
const TRACE = 'printenv TRACEPARENT | cut -c 4-35';

/** The goal of its family, and the family. */
export const GOAL = 'say the trace';
export const FAMILY = 'say-trace';

/** Writes the package into a new folder of its name; `criterion` is the text of what must hold. */
export const writeTracer = async (top: string, criterion = 'trace.txt has the trace of this task'): Promise<string> => {
  const folder = path.join(top, 'tracer');
  const { profile } = await readHarnessFolder(EXAMPLE, '/');
  const check = { kind: 'command', command: `test "$(cat trace.txt)" = "$(${TRACE})"`, timeout_ms: 10_000 };
  const call = { tool: 'shell.run', arguments: { command: `${TRACE} > trace.txt` } };
  const files = {
    harness: { name: 'tracer', version: 1, title: 'says which trace it runs in' },
    profile: { ...profile, name: 'tracer' },
    families: [
      { name: FAMILY, title: GOAL, examples: [GOAL], project: false, grammar: { clause: [`${GOAL} => traced`] } },
    ],
    criteria: [{ name: 'traced', use: 'check', text: criterion, check }],
    readiness: [{ name: 'shell', text: 'a shell in the sandbox', needs: { kind: 'tool', tool: 'shell.run' } }],
    tools: [
      {
        ...{ name: 'write-trace', version: 1, purpose: 'writes trace.txt', families: [FAMILY], rank: 1 },
        side_effect: 'local_write',
        needs: { tools: ['shell.run'] },
        declares: { calls: 1, time_ms: 1000 },
        steps: [{ call, note: 'writes the trace' }],
      },
    ],
  };
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(files))
    writeFileSync(path.join(folder, `${name}.yaml`), stringify(content));
  return folder;
};
