// The conformance claim, `npm run claim`: runs the conformance suite and writes what it proved, with the evidence of every id beside it, and
// the badge of the highest level whose ids and scripts (and those below) all pass. A failing suite writes nothing.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { LEVELS } from '#test/conformance/requirements.ts';
import { SCRIPTS } from '#test/conformance/scripts.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const REPORT = '.reports/conformance.json';
const CLAIM = 'docs/conformance/claim.json';
const BADGE = 'docs/conformance/badge.svg';
const SPEC = '0.1.0';

/** What a test proved, as the suite leaves it beside the test. */
const Proof = z.object({ id: z.string(), fails: z.string().nullable(), evidence: z.record(z.string(), z.unknown()) });
type Proof = z.infer<typeof Proof>;

const Test = z.object({ title: z.string(), status: z.string(), meta: z.object({ proof: Proof.optional() }) });
const Report = z.object({
  success: z.boolean(),
  testResults: z.array(z.object({ name: z.string(), assertionResults: z.array(Test) })),
});
type Report = z.infer<typeof Report>;

/** Everything that was seen of one id. */
interface Shown {
  status: 'passed' | 'expected failure' | 'not proved';
  tests: string[];
  evidence: Proof['evidence'][];
}

/** The suite's own report. @throws Error when a test failed */
function runSuite(): Report {
  const json = ['--reporter=default', '--reporter=json', `--outputFile.json=${REPORT}`];
  const { status } = spawnSync('npm', ['test', '--', '--project', 'conformance', ...json], {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Error('the conformance suite failed: there is nothing to claim');
  return Report.parse(JSON.parse(readFileSync(`${ROOT}${REPORT}`, 'utf8')));
}

/** The claim of a report: counts by level, and the evidence by id. */
export function claimOf(report: Report, own: { version: string; date: string }) {
  const shown = shownIn(report);
  const levels = Object.entries(LEVELS).map(([level, ids]) => ({ level: Number(level), ids: Object.keys(ids) }));
  const results = levels.map(({ level, ids }) => [`level_${level}_tests`, counted(ids, shown)]);
  const scripts = Object.entries(SCRIPTS).map(([name, { steps }]) => {
    const ids = steps.map((_, at) => `${name}#${at + 1}`);
    return [name, counted(ids, shown)];
  });
  return {
    conformance_claim: {
      system_name: 'hca',
      system_version: own.version,
      hca_spec_version: SPEC,
      conformance_level: levelOf(levels, shown),
      certification_type: 'self',
      certification_date: own.date,
      test_results: Object.fromEntries([...results, ['scripted_tests', Object.fromEntries(scripts)]]),
      contact: 'the maintainers of hca, by an issue in its repository',
    },
    evidence: Object.fromEntries(shown),
  };
}

function shownIn(report: Report): Map<string, Shown> {
  const shown = new Map<string, Shown>();
  for (const { title, status, meta } of report.testResults.flatMap(({ assertionResults }) => assertionResults)) {
    if (meta.proof === undefined) continue;
    const { id, fails, evidence } = meta.proof;
    const before = shown.get(id) ?? { status: 'passed', tests: [], evidence: [] };
    const now = status === 'passed' ? expectedOf(fails) : 'not proved';
    shown.set(id, {
      status: before.status === 'passed' ? now : before.status,
      tests: [...before.tests, title],
      evidence: [...before.evidence, evidence],
    });
  }
  return shown;
}

const expectedOf = (fails: string | null): Shown['status'] => (fails === null ? 'passed' : 'expected failure');

const passedOf = (ids: readonly string[], shown: ReadonlyMap<string, Shown>): string[] =>
  ids.filter((id) => shown.get(id)?.status === 'passed');

const counted = (ids: readonly string[], shown: ReadonlyMap<string, Shown>): string =>
  `${passedOf(ids, shown).length}/${ids.length} passed`;

/** The highest level that passes with all below it; its scripts count as well as its ids. 0: none. */
function levelOf(levels: readonly { level: number; ids: string[] }[], shown: ReadonlyMap<string, Shown>): number {
  const complete = levels.map(({ level, ids }) => {
    const steps = Object.entries(SCRIPTS)
      .filter(([, script]) => script.level === level)
      .flatMap(([name, script]) => script.steps.map((_, at) => `${name}#${at + 1}`));
    return passedOf([...ids, ...steps], shown).length === ids.length + steps.length;
  });
  const missing = complete.indexOf(false);
  return missing < 0 ? levels.length : missing;
}

function ownVersion(): string {
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'))).version;
}

function badgeOf(level: number): string {
  const text = level === 0 ? 'none yet' : `level ${level}, self-certified`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="230" height="20" role="img" aria-label="HCA ${SPEC}: ${text}">
  <rect width="70" height="20" fill="#555"/><rect x="70" width="160" height="20" fill="${level === 0 ? '#999' : '#2a7'}"/>
  <g fill="#fff" font-family="sans-serif" font-size="11" text-anchor="middle">
    <text x="35" y="14">HCA ${SPEC}</text><text x="150" y="14">${text}</text>
  </g>
</svg>
`;
}

if (import.meta.main) {
  const report = runSuite();
  const claim = claimOf(report, { version: ownVersion(), date: new Date().toISOString().slice(0, 10) });
  mkdirSync(`${ROOT}docs/conformance`, { recursive: true });
  writeFileSync(`${ROOT}${CLAIM}`, `${JSON.stringify(claim, null, 2)}\n`);
  spawnSync('npm', ['run', '--silent', 'format', '--', CLAIM], { cwd: ROOT });
  writeFileSync(`${ROOT}${BADGE}`, badgeOf(claim.conformance_claim.conformance_level));
  console.log(JSON.stringify(claim.conformance_claim, null, 2));
}
