#!/usr/bin/env node
// Plain JavaScript for Node 20 and newer: finds the program (compiled in the published package, sources in a checkout) and a
// Node that can run it. Docent needs Node 24; where an older one is installed, the one that npm installed with Docent is used.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const sources = path.join(root, 'src', 'main', 'cli.ts');
const program = existsSync(sources) ? sources : path.join(root, 'dist', 'main', 'cli.js');

if (Number(process.versions.node.split('.')[0]) >= 24) {
  await import(pathToFileURL(program).href);
} else {
  runWith(newerNode());
}

function newerNode() {
  try {
    const manifest = createRequire(import.meta.url).resolve('node/package.json');
    const binary = path.join(path.dirname(manifest), 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
    if (existsSync(binary)) return binary;
  } catch {
    // It is not there: the sentence below says so.
  }
  process.stderr.write(
    `Docent needs Node 24 and this is ${process.version}. Install a newer Node, or reinstall Docent with its dependencies ` +
      'and their install scripts: npm brings a Node 24 along.\n',
  );
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
