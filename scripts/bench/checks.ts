import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { median, printRows, type BenchRow } from './bench-row.ts';

const PAGES = 1_500;
const ROUNDS = 3;
const CLI = new URL('../../src/main/cli.ts', import.meta.url).pathname;

const run = promisify(execFile);

/**
 * `docent check` as a person starts it, on a generated site of 1,500 MDX pages of some 5 KB with headings, links, anchors,
 * components and code: new, again with its cache file, and after one page changed. The process' start is in the times.
 */
export async function benchChecks(): Promise<BenchRow[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'docent-bench-checks-'));
  try {
    const site = path.join(folder, 'site');
    const bytes = writeSite(site);
    const cache = path.join(folder, 'facts');
    const cold: Checked[] = [];
    const warm: Checked[] = [];
    const changed: Checked[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      rmSync(cache, { force: true });
      cold.push(await check(site, cache));
      warm.push(await check(site, cache));
      writeFileSync(path.join(site, 'section-1/page-1.mdx'), page(1, `Round ${round}`));
      changed.push(await check(site, cache));
    }
    const row = (name: string, rounds: readonly Checked[], goal: number): BenchRow => {
      const seconds = median(rounds.map((checked) => checked.seconds));
      const processor = median(rounds.map((checked) => checked.processorSeconds));
      const peak = Math.max(...rounds.map((checked) => checked.peakMegabytes));
      return {
        name: `docent check, ${PAGES.toLocaleString('en-US')} pages, ${(bytes / 1e6).toFixed(1)} MB: ${name}`,
        measured: `${seconds.toFixed(1)} s (${processor.toFixed(1)} s of a processor), at most ${Math.round(peak)} MB`,
        goal: `below ${goal} s`,
        met: seconds < goal,
      };
    };
    return [
      row('nothing cached', cold, 8),
      row(`cached (${(statSync(cache).size / 1e6).toFixed(1)} MB)`, warm, 2),
      row('cached, one page changed', changed, 2),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Checked {
  seconds: number;
  processorSeconds: number;
  peakMegabytes: number;
}

async function check(site: string, cache: string): Promise<Checked> {
  const startedAt = performance.now();
  const { stdout } = await run(process.execPath, [CLI, 'check', site, '--json', '--stats', '--cache', cache]);
  const { problems, pages, stats } = JSON.parse(stdout) as {
    problems: unknown[];
    pages: number;
    stats: { processorSeconds: number; peakMegabytes: number };
  };
  if (problems.length > 0 || pages !== PAGES)
    throw new Error(`Checked ${pages} pages with ${problems.length} problems.`);
  return { ...stats, seconds: (performance.now() - startedAt) / 1_000 };
}

/** @returns the bytes of all pages */
function writeSite(site: string): number {
  let bytes = 0;
  const names = Array.from({ length: PAGES }, (_, i) => pageName(i));
  for (const [i, name] of names.entries()) {
    const file = path.join(site, `${name}.mdx`);
    mkdirSync(path.dirname(file), { recursive: true });
    const text = page(i, 'First');
    bytes += Buffer.byteLength(text);
    writeFileSync(file, text);
  }
  writeFileSync(path.join(site, 'docs.json'), JSON.stringify({ name: 'Bench', navigation: { pages: names } }, null, 2));
  return bytes;
}

function pageName(i: number): string {
  return `section-${i % 40}/page-${i}`;
}

function page(i: number, note: string): string {
  const other = (step: number) => (i * 7 + step * 13) % PAGES;
  const sections = Array.from({ length: 12 }, (_, n) => {
    const to = other(n);
    return `## Section ${n} of page ${i}

Some words about the thing that is told here, with [a link](/${pageName(to)}#section-${n}-of-page-${to}), \`code\` and **weight**.
A second line of the paragraph says a little more, so that there is something to parse.

- An item with [another link](#section-${n}-of-page-${i})
- One without

<Card title="Card ${n}" href="/${pageName(other(n + 1))}">What the card says.</Card>

\`\`\`ts
const value = { n: ${n} }; // [no](/link)
\`\`\`
`;
  });
  return `---\ntitle: Page ${i}\n---\n\n${note}\n\n${sections.join('\n')}`;
}

if (import.meta.main) printRows(await benchChecks());
