// What package.json promises: exact pins, the Node that runs us, an installed package that brings only that Node
// (docs/decisions/0001), and the one version whose number is itself a requirement.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

interface Manifest {
  version: string;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  overrides: Record<string, string>;
  allowScripts: Record<string, boolean>;
}

/** The parts of a lock file that are read here. */
interface Lock {
  packages: Record<string, { version: string; hasInstallScript?: boolean }>;
}

const readJson = (file: string): unknown =>
  JSON.parse(readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), 'utf8'));
const manifest = readJson('package.json') as Manifest;
const lock = readJson('package-lock.json') as Lock;

test('every version is exact', () => {
  const { dependencies, devDependencies, overrides } = manifest;
  const loose = Object.entries({ ...dependencies, ...devDependencies, ...overrides }).filter(
    ([, version]) => !/^(npm:[a-z-]+@)?\d+\.\d+\.\d+$/.test(version),
  );
  expect(loose).toEqual([]);
});

test('installing the package brings its Node and nothing else', () => {
  expect(manifest.dependencies).toEqual({ node: expect.stringMatching(/^24\./) });
});

test('the tests run on the Node that the package brings', () => {
  expect(process.versions.node).toBe(manifest.dependencies.node);
});

test('JSONata is the version Step Functions runs: 2.1 accepts ?? and ?:, which AWS rejects', () => {
  expect((readJson('node_modules/jsonata/package.json') as Manifest).version).toBe('2.0.6');
});

test('TypeScript is one that dependency-cruiser reads: with 7 alone it finds no module and exits 0', () => {
  expect(manifest.devDependencies.typescript).toMatch(/^6\.0\./);
});

test('zod is installed once: schemas of two copies do not know each other', () => {
  expect(Object.keys(lock.packages).filter((name) => /(^|\/)node_modules\/zod$/.test(name))).toEqual([
    'node_modules/zod',
  ]);
});

test('every package with an install script was looked at', () => {
  const scripted = Object.entries(lock.packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([folder]) => folder.replace(/^.*node_modules\//, ''));
  expect([...new Set(scripted)].sort()).toEqual(Object.keys(manifest.allowScripts).sort());
});
