// Recognises a test run that ran nothing: an exit code of 0 without a single test is no proof (requirements section 3, honesty of "green").

/** True when the output says that no test was found or run, and nothing in it says that one was. */
export function ranNoTests(output: string): boolean {
  const lines = output.split(/\r?\n/).map((line) => line.trim());
  const says = (shapes: readonly RegExp[]): boolean => lines.some((line) => shapes.some((shape) => shape.test(line)));
  return says(NONE) && !says(SOME);
}

/** How test runners say that there was nothing: node, jest, vitest, mocha, ava, pytest, unittest, cargo, go. */
const NONE: readonly RegExp[] = [
  /^(?:#|ℹ) tests 0$/,
  /^no tests? (?:files? |suites? )?(?:found|ran|were found)\b/i,
  /^no tests found, exiting with code 0/i,
  /^[=\s]*no tests ran\b/i,
  /^ran 0 tests\b/i,
  /^0 passing\b/,
  /^(?:×|✖|✘)? ?couldn.t find any (?:files|tests) to (?:test|run)/i,
  /^running 0 tests$/,
  /\[no test files\]$/,
];

/** How they say that something was run; several runners may speak in one output. */
const SOME: readonly RegExp[] = [
  /^(?:#|ℹ) tests [1-9]/,
  /\b[1-9]\d* (?:passed|failed|passing|failing|skipped|tests? passed)\b/,
  /^ran [1-9]\d* tests?\b/i,
  /^running [1-9]\d* tests?$/,
  /^(?:ok|FAIL)\s+\S+\s+(?:\(cached\)|[\d.]+s)/,
];
