// The storage ports of the embedded host, in memory and in a folder: every suite that any adapter has to pass.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { localPorts } from '#shared/adapters/local/ports.ts';
import { artifactsSuite } from '../suites/artifacts.ts';
import { journalSuite } from '../suites/journal.ts';
import { ledgerSuite } from '../suites/ledger.ts';
import { registersSuite } from '../suites/registers.ts';
import { sessionsSuite } from '../suites/sessions.ts';
import { tasksSuite } from '../suites/tasks.ts';
import { waitsSuite } from '../suites/waits.ts';

const inMemory = async () => localPorts({ folder: ':memory:', checked: true });

const inFolder = (durable: 'normal' | 'full') => async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'hca-stores-'));
  const ports = localPorts({ folder, durable });
  const close = async () => {
    await ports.close();
    rmSync(folder, { recursive: true });
  };
  return { ...ports, close };
};

for (const [name, open] of [
  ['in memory', inMemory],
  ['in a folder', inFolder('normal')],
] as const) {
  tasksSuite(name, open);
  waitsSuite(name, open);
  ledgerSuite(name, open);
  journalSuite(name, open);
  artifactsSuite(name, open);
  registersSuite(name, open);
  sessionsSuite(name, open);
}

// Durable against the loss of power, only what takes another path then: bytes, and one kind of row.
artifactsSuite('in a folder, durable', inFolder('full'));
tasksSuite('in a folder, durable', inFolder('full'));
