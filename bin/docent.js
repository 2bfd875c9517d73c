#!/usr/bin/env node
// Plain JavaScript for old versions of Node, too: finds the program (compiled in the published package, sources in a checkout) and a Node that
// can run it. Docent needs Node 24. On an older one, a checkout uses the Node 24 that npm installed in it; the published package says what it needs.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const sources = path.join(root, 'src', 'cli', 'main.ts');
const program = existsSync(sources) ? sources : path.join(root, 'dist', 'cli', 'main.js');

if (Number(process.versions.node.split('.')[0]) >= 24) {
  await import(pathToFileURL(program).href);
} else {
  runWith(newerNode());
}

function newerNode() {
  if (program !== sources) refuse('Install Node 24 or newer (https://nodejs.org), and run Docent with it.');
  try {
    const manifest = createRequire(import.meta.url).resolve('node/package.json');
    const binary = path.join(path.dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    if (existsSync(binary)) return binary;
  } catch {
    // It is not there: the sentence below says so.
  }
  return refuse(`Run \`npm ci\` in ${path.resolve(root)}, which brings a Node 24 along, or install Node 24 or newer.`);
}

/** @param {string} todo */
function refuse(todo) {
  process.stderr.write(`Docent needs Node 24 or newer, and this is Node ${process.versions.node}. ${todo}\n`);
  process.exit(1);
}

function runWith(node) {
  const child = spawn(node, [program, ...process.argv.slice(2)], { stdio: 'inherit' });
  // Ctrl-C at a terminal reaches both processes: a second signal would mean "at once".
  const isAtTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  process.on('SIGINT', () => isAtTerminal || child.kill('SIGINT'));
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (err) => {
    process.stderr.write(`${node} cannot be started: ${err.message}\n`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => {
    // As shells do: after a signal, 128 and its number.
    process.exit(signal ? 128 + constants.signals[signal] : (code ?? 1));
  });
}
