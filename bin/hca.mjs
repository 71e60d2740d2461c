#!/usr/bin/env node
// Starts hca. Plain JavaScript that an old Node (12.17 and up) can read: it looks for a Node that is new enough, then hands over to
// dist/cli.mjs, or to cli/main.ts in a source checkout. Exit codes of its own: 2 on Windows, 6 when there is no suitable Node.
import { spawn } from 'child_process';
import fs from 'fs';
import os from 'os';
import path from 'path';
import { fileURLToPath, pathToFileURL } from 'url';

const NEEDED_MAJOR = 24;
const BROKEN = 1;
const UNSUPPORTED = 2;
const UNAVAILABLE = 6;

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

start();

function start() {
  if (process.platform === 'win32') {
    leave(UNSUPPORTED, 'hca runs on Linux and macOS; on Windows, use it inside WSL (run "wsl --install" once).');
  }
  const program = findProgram();
  if (isNewEnough(process.versions.node)) runHere(program);
  else runThere(packagedNode(root), program);
}

/** A checkout holds the sources and runs them; a package holds only the bundle. */
function findProgram() {
  const source = path.join(root, 'cli', 'main.ts');
  return fs.existsSync(source) ? source : path.join(root, 'dist', 'cli.mjs');
}

function isNewEnough(version) {
  return Number(version.split('.')[0]) >= NEEDED_MAJOR;
}

/** The Node that was installed with hca: node_modules/node in this folder or in one above. */
function packagedNode(folder) {
  const home = path.join(folder, 'node_modules', 'node');
  const binary = path.join(home, 'bin', 'node');
  if (fs.existsSync(binary) && isNewEnough(versionOf(home))) return binary;
  const above = path.dirname(folder);
  return above === folder ? undefined : packagedNode(above);
}

function versionOf(home) {
  try {
    return JSON.parse(fs.readFileSync(path.join(home, 'package.json'), 'utf8')).version;
  } catch (_unreadable) {
    return '0';
  }
}

function howToGetNode() {
  return [
    'hca needs Node ' +
      NEEDED_MAJOR +
      ' or newer; this is Node ' +
      process.versions.node +
      ', and the one hca brings is not installed.',
    'Where hca is installed, let its Node install itself (npm install-scripts approve node, then npm rebuild node; with -g: npm install -g --allow-scripts=node hca), or get Node from https://nodejs.org.',
  ].join('\n');
}

/** In this process: one process less, and signals mean what they always mean. */
function runHere(program) {
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if (warning.name !== 'ExperimentalWarning') process.stderr.write(warning.name + ': ' + warning.message + '\n');
  });
  process.setSourceMapsEnabled(true);
  process.argv[1] = program;
  import(pathToFileURL(program).href).catch((error) => {
    process.stderr.write((error.stack || String(error)) + '\n');
    process.exit(BROKEN);
  });
}

/** In the packaged Node. Its signals and its end become ours. */
function runThere(node, program) {
  if (node === undefined) leave(UNAVAILABLE, howToGetNode());
  const flags = ['--enable-source-maps', '--disable-warning=ExperimentalWarning'];
  const child = spawn(node, flags.concat(program, process.argv.slice(2)), { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']) process.on(signal, () => passOn(child, signal));
  child.on('error', (error) => leave(UNAVAILABLE, 'The Node that hca brings does not start: ' + error.message));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
    // Only a signal that cannot end us reaches this line; 128 + its number is what a shell would report.
    setTimeout(() => process.exit(128 + os.constants.signals[signal]), 100);
  });
}

/** A terminal sends Ctrl-C to both processes itself: passing it on would make one press count as two (the second cancels). */
function passOn(child, signal) {
  const atTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  const alreadySent = atTerminal && (signal === 'SIGINT' || signal === 'SIGQUIT');
  if (!alreadySent) child.kill(signal);
}

function leave(code, message) {
  process.stderr.write(message + '\n');
  process.exit(code);
}
