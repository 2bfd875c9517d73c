import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { median, printRows, type BenchRow } from './bench-row.ts';
import { benchPeers } from './check-peers.ts';
import { checkPage, pageName, writeCheckSite } from './check-site.ts';

const PAGES = 1_500;
/** Of all processes together. */
const MOST_MEGABYTES = 600;
const ROUNDS = 3;
const CLI = new URL('../../src/cli/main.ts', import.meta.url).pathname;

const run = promisify(execFile);

/**
 * `docent check` as a person starts it, on a generated site of MDX pages: new, again with its cache file, and
 * after one page changed. The process' start is in the times. Beside it, programs that check links, where
 * they are installed.
 * @param pages the goals are those of 1,500, and grow with them
 */
export async function benchChecks(pages = PAGES): Promise<BenchRow[]> {
  const folder = mkdtempSync(path.join(tmpdir(), 'docent-bench-checks-'));
  try {
    const site = path.join(folder, 'site');
    const bytes = writeCheckSite(site, pages);
    const cache = path.join(folder, 'facts');
    const cold: Checked[] = [];
    const warm: Checked[] = [];
    const changed: Checked[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      rmSync(cache, { force: true });
      cold.push(await check(site, cache, pages));
      warm.push(await check(site, cache, pages));
      writeFileSync(path.join(site, `${pageName(1)}.mdx`), checkPage(1, `Round ${round}`, pages));
      changed.push(await check(site, cache, pages));
    }
    const row = (name: string, rounds: readonly Checked[], goalOf1500: number): BenchRow => {
      const goal = goalOf1500 * Math.max(1, pages / PAGES);
      const seconds = median(rounds.map((checked) => checked.seconds));
      const processor = median(rounds.map((checked) => checked.processorSeconds));
      const peak = Math.max(...rounds.map((checked) => checked.peakMegabytes));
      return {
        name: `docent check, ${pages.toLocaleString('en-US')} pages, ${(bytes / 1e6).toFixed(1)} MB: ${name}`,
        measured: `${seconds.toFixed(1)} s (${processor.toFixed(1)} s of a processor), at most ${Math.round(peak)} MB`,
        goal: `at most ${Number(goal.toFixed(1))} s${pages === PAGES ? ` and ${MOST_MEGABYTES} MB` : ''}`,
        met: seconds <= goal && (pages !== PAGES || peak <= MOST_MEGABYTES),
      };
    };
    return [
      row('nothing cached', cold, 5),
      row(`cached (${(statSync(cache).size / 1e6).toFixed(1)} MB)`, warm, 1),
      row('cached, one page changed', changed, 1),
      ...(await benchPeers(site)),
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

async function check(site: string, cache: string, count: number): Promise<Checked> {
  const startedAt = performance.now();
  const { stdout } = await run(process.execPath, [CLI, 'check', site, '--json', '--stats', '--cache', cache]);
  const { problems, pages, stats } = JSON.parse(stdout) as {
    problems: unknown[];
    pages: number;
    stats: { processorSeconds: number; peakMegabytes: number };
  };
  if (problems.length > 0 || pages !== count)
    throw new Error(`Checked ${pages} pages with ${problems.length} problems.`);
  return { ...stats, seconds: (performance.now() - startedAt) / 1_000 };
}

if (import.meta.main) printRows(await benchChecks());
