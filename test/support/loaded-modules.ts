import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { BARE_ENV } from './bare-env.ts';
import { ROOT } from './processes.ts';

/** Writes down what is loaded after it. */
const WATCH = `
  import { writeFileSync } from 'node:fs';
  import { registerHooks } from 'node:module';
  const loaded = [];
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
  process.on('exit', () => writeFileSync(process.env.LOADED, loaded.join('\\n')));`;

/** The packages, and files of our own, that a Node loads which is given these arguments, until it ends. */
export async function loadedBy(...args: string[]): Promise<{ packages: string[]; own: string[] }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'docent-imports-'));
  try {
    const file = path.join(folder, 'loaded');
    const watch = `data:text/javascript,${encodeURIComponent(WATCH)}`;
    const env = { ...BARE_ENV, HOME: folder, LOADED: file, DOCENT_API_KEY: 'docent_x' };
    await new Promise((resolve) => execFile(process.execPath, ['--import', watch, ...args], { env }, resolve));
    const urls = readFileSync(file, 'utf8').split('\n');
    const packages = urls.flatMap((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? []);
    const own = urls.filter((url) => url.startsWith(`${pathToFileURL(ROOT)}/src/`));
    return { packages: [...new Set(packages)].toSorted(), own };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
