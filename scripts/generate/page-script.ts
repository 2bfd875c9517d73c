/**
 * Writes the page script as it is served from its readable source. With `--check` it writes nothing, and
 * fails if the file differs from what it would have written.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { minify } from 'terser';
import { pageScript } from '../../src/analytics/ingest/script/page-script.source.ts';

const FILE = resolve(import.meta.dirname, '../../src/analytics/ingest/script/generated/page-script.ts');

/** The text of src/analytics/ingest/script/generated/page-script.ts. */
export async function pageScriptModule(): Promise<string> {
  const { code } = await minify(`(${pageScript.toString()})()`, {
    ecma: 2020,
    toplevel: true,
    compress: { passes: 3, unsafe_arrows: true },
    format: { quote_style: 1 },
  });
  if (!code) throw new Error('The page script came out empty.');
  return (
    '// Generated from page-script.source.ts by `node scripts/generate/page-script.ts`. Do not edit.\n\n' +
    `export const PAGE_SCRIPT =\n  ${JSON.stringify(code)};\n`
  );
}

if (import.meta.main) {
  const text = await pageScriptModule();
  if ((await readFile(FILE, 'utf8').catch(() => '')) === text) process.stdout.write('The page script is up to date.\n');
  else if (process.argv.includes('--check')) {
    process.stderr.write('The page script is out of date: run `node scripts/generate/page-script.ts`.\n');
    process.exitCode = 1;
  } else {
    await mkdir(dirname(FILE), { recursive: true });
    await writeFile(FILE, text);
    process.stdout.write(`Wrote ${FILE}.\n`);
  }
}
