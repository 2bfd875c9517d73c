import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { runToolCalls } from '../../src/agent/tools/tool-set.ts';
import { FactsCache } from '../../src/docs-site/read/facts-cache.ts';
import { compileGlob } from '../../src/docs-site/read/glob.ts';
import { Workspace } from '../../src/git/workspace.ts';
import { cloneTree } from './clone-tree.ts';
import { median, ms, type BenchRow } from './bench-row.ts';

const POLICY = { docsDir: '', maxFiles: 100, maxFileBytes: 1_048_576, maxTotalBytes: 10_485_760 };
/** Characters of a token, about: English and Markdown. */
const PER_TOKEN = 4;
const FIRST = 5;
/** Of all questions of the sites that are given. */
const GOAL = 0.65;

const sitesSchema = z.array(
  z.object({
    repository: z.string(),
    site: z.string(),
    questions: z.array(z.object({ ask: z.string(), pages: z.array(z.string()) })),
  }),
);
type Site = z.infer<typeof sitesSchema>[number];

/**
 * How well `search` finds the page that a person would name for a question, on clones of public sites; the questions are in
 * search-questions.json, in other words than the titles where that is possible. `--site owner/name=PATH` names a clone.
 * Also what a `list` of the whole repository costs.
 */
export async function benchSearchQuality(clones: readonly string[]): Promise<BenchRow[]> {
  const sites = sitesSchema.parse(
    JSON.parse(await readFile(new URL('search-questions.json', import.meta.url), 'utf8')),
  );
  const rows: BenchRow[] = [];
  const all: Asked[] = [];
  for (const clone of clones) {
    const [name = '', where = ''] = clone.split(/=(.*)/s);
    const site = sites.find(({ repository }) => repository === name);
    if (!site) throw new Error(`There are no questions for ${name}: ${sites.map((one) => one.repository).join(', ')}.`);
    const { asked, row } = askSite(site, where);
    all.push(...asked);
    rows.push(row);
  }
  const found = recall(all);
  rows.push({
    name: `Questions in all: ${all.length}`,
    measured: inWords(all),
    ratio: found,
    goal: `at least ${GOAL} of the pages among the first ${FIRST}`,
    met: found >= GOAL,
  });
  return rows;
}

interface Asked {
  /** Place among the ranked pages, from 1; 0 where it was not found. */
  ranked: number;
  /** Whether the question stands somewhere as it is. */
  literal: boolean;
}

function askSite({ repository, site, questions }: Site, where: string): { asked: Asked[]; row: BenchRow } {
  const base = cloneTree(where);
  const cache = new FactsCache();
  const call = (name: string, input: object) => {
    const at = performance.now();
    const workspace = new Workspace(base, [], POLICY);
    const [result] = runToolCalls(workspace, [{ id: '1', name, input }], { base, policy: POLICY, site, cache });
    if (!result?.ok) throw new Error(result?.text);
    return { ...result, took: performance.now() - at };
  };
  const list = call('list', {});
  const first = call('search', { query: 'anything at all', ranked: true }).took;
  const times: number[] = [];
  const asked = questions.map(({ ask, pages }): Asked => {
    const isPage = pages.map(compileGlob);
    const place = (paths: readonly string[]) => paths.findIndex((one) => isPage.some((test) => test(one))) + 1;
    const { data, took } = call('search', { query: ask, ranked: true, limit: 100 });
    times.push(took);
    const exact = call('search', { query: ask, ignoreCase: true }).data;
    return {
      ranked: data?.tool === 'search' ? place((data.ranked ?? []).map((one) => one.path)) : 0,
      literal: exact?.tool === 'search' && exact.matches > 0,
    };
  });
  const pages = Number(/Pages: (\d+)/.exec(list.text)?.[1] ?? 0);
  const cost = `list ${Math.round(list.text.length / PER_TOKEN)} tokens; first search ${ms(first)}, later ${ms(median(times))}`;
  const row = { name: `${repository} (${pages} pages)`, measured: `${inWords(asked)}; ${cost}`, ratio: recall(asked) };
  return { asked, row };
}

function recall(asked: readonly Asked[]): number {
  return asked.filter(({ ranked }) => ranked > 0 && ranked <= FIRST).length / Math.max(1, asked.length);
}

function inWords(asked: readonly Asked[]): string {
  const of = (share: number) => `${Math.round(share * asked.length)} of ${asked.length}`;
  const reciprocal =
    asked.reduce((sum, { ranked }) => sum + (ranked > 0 ? 1 / ranked : 0), 0) / Math.max(1, asked.length);
  const literal = asked.filter((one) => one.literal).length;
  return `${of(recall(asked))} among the first ${FIRST}, MRR ${reciprocal.toFixed(2)} (exact text: ${literal})`;
}
