import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { BenchRow } from './bench-row.ts';

const run = promisify(execFile);
/** Longer than any of them takes for 10,000 pages. */
const LIMIT_MS = 20 * 60_000;

interface Peer {
  name: string;
  program: string;
  /** @param folder where it was found */
  args(site: string, folder: string): string[];
}

/** Other programs that check links of Markdown in a folder, without the network. */
const PEERS: readonly Peer[] = [
  {
    name: 'lychee, links and anchors',
    program: 'lychee',
    args: (site) => ['--offline', '--include-fragments', '--no-progress', '--root-dir', site, `${site}/**/*.mdx`],
  },
  { name: 'mint broken-links', program: 'mint', args: () => ['broken-links'] },
  {
    name: 'remark-validate-links',
    program: 'remark',
    args: (site, folder) => [
      '--quiet',
      '--ext',
      'mdx',
      '--use',
      `${path.join(folder, '..', 'remark-validate-links', 'index.js')}=repository:false`,
      site,
    ],
  },
  {
    name: 'markdown-link-check',
    program: 'markdown-link-check',
    args: (site) => ['--quiet', ...pagesOf(site)],
  },
];

/**
 * One run of each, in wall-clock and processor time; findings are ignored. Reports missing programs.
 */
export async function benchPeers(site: string): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const { name, program, args } of PEERS) {
    const folder = folderOf(program);
    const measured =
      folder === null ? 'not installed' : await timed(path.join(folder, program), args(site, folder), site);
    rows.push({ name: `${name}, the same pages`, measured });
  }
  return rows;
}

function folderOf(program: string): string | null {
  const own = process.env.DOCENT_BENCH_PEERS;
  const folders = [
    ...(own ? [path.resolve(own, 'node_modules', '.bin')] : []),
    ...(process.env.PATH ?? '').split(path.delimiter),
  ];
  return folders.find((folder) => folder !== '' && existsSync(path.join(folder, program))) ?? null;
}

/** The shell's own `time` counts the processes that a program starts, too. */
async function timed(program: string, args: readonly string[], cwd: string): Promise<string> {
  const startedAt = performance.now();
  const script = 'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>/dev/null; exit 0';
  try {
    const { stderr } = await run('bash', ['-c', script, 'bash', program, ...args], { cwd, timeout: LIMIT_MS });
    const processor = stderr
      .trim()
      .split(' ')
      .reduce((sum, seconds) => sum + Number(seconds), 0);
    return `${((performance.now() - startedAt) / 1_000).toFixed(1)} s (${processor.toFixed(1)} s of a processor)`;
  } catch (thrown) {
    return `could not be run: ${thrown instanceof Error ? thrown.message.split('\n')[0] : String(thrown)}`;
  }
}

function pagesOf(site: string): string[] {
  return readdirSync(site, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.mdx'))
    .map((name) => path.join(site, name));
}
