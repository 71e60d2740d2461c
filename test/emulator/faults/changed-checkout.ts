// A checkout in which somebody changed something: every machine begins with one more state, what JUDGE says reads otherwise, and each function that no
// state waits for ends its process once, after the first item it has stored and before whatever comes next.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { STEPS } from '#shared/contracts/steps.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

/** What every execution of the changed machines visits first. */
export const FIRST = 'Begun';
/** As the changed code says it. */
export const SAYS = { was: 'judges ', is: 'judges anew ' } as const;

/** What a dead LEARN has claimed is free after 30 s: before AWS calls it again, and long after the emulator has done so twice. */
const PATIENT = 'learn';

export interface Checkout {
  folder: string;
  /** Functions that have ended their process. */
  died(): string[];
  remove(): void;
}

export const changedCheckout = (): Checkout => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'hca-changed-'));
  const marks = path.join(folder, 'died');
  mkdirSync(marks);
  for (const copied of ['infra', 'statemachines', 'package.json', 'cdk.json', path.join('dist', 'functions')])
    cpSync(path.join(ROOT, copied), path.join(folder, copied), { recursive: true });
  for (const same of ['node_modules', 'shared', 'functions', 'scripts'])
    symlinkSync(path.join(ROOT, same), path.join(folder, same));
  const machines = path.join(folder, 'statemachines');
  for (const name of readdirSync(machines).filter((file) => file.endsWith('.asl.json')))
    change(path.join(machines, name), withFirstState);
  for (const [name, { waits }] of Object.entries(STEPS))
    if (!waits && name !== PATIENT) change(bundleOf(folder, name), (code) => dying(name, marks) + code);
  change(bundleOf(folder, 'judge'), (code) => replaced(code));
  return { folder, died: () => readdirSync(marks), remove: () => rmSync(folder, { recursive: true, force: true }) };
};

const bundleOf = (folder: string, name: string): string => path.join(folder, 'dist', 'functions', name, 'index.mjs');

const change = (file: string, how: (text: string) => string): void =>
  writeFileSync(file, how(readFileSync(file, 'utf8')));

const withFirstState = (text: string): string => {
  const machine = JSON.parse(text) as { StartAt: string; States: object };
  const States = { [FIRST]: { Type: 'Pass', Next: machine.StartAt }, ...machine.States };
  return JSON.stringify({ ...machine, StartAt: FIRST, States });
};

const replaced = (code: string): string => {
  if (!code.includes(SAYS.was)) throw new Error(`JUDGE does not say "${SAYS.was}" any more`);
  return code.replaceAll(SAYS.was, SAYS.is);
};

/** Run before a bundle: after the first answer of DynamoDB to a PutItem the process is gone, once, as long as the checkout is there. */
const dying = (name: string, marks: string): string => `import hcaFs from 'node:fs';
import hcaHttp from 'node:http';
import { syncBuiltinESMExports as hcaSync } from 'node:module';
const hcaRequest = hcaHttp.request;
hcaHttp.request = (...asked) => {
  const made = hcaRequest(...asked);
  const stores = /PutItem$/.test(String(made.getHeader('x-amz-target')));
  if (stores && hcaFs.existsSync('${marks}') && !hcaFs.existsSync('${path.join(marks, name)}'))
    made.once('response', () => {
      hcaFs.writeFileSync('${path.join(marks, name)}', '');
      process.exit(1);
    });
  return made;
};
hcaSync();
`;
