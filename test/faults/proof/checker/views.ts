import { setTimeout as sleep } from 'node:timers/promises';
import type { Findings, LedgerFile } from './ledger-file.ts';

interface Listing {
  totals: { total: number };
  visitors?: { path: string; total: number }[];
  views?: { path: string; total: number }[];
}

/** Views are seen within seconds; logs of servers that died are taken over within half a minute. */
const WITHIN_MS = 180_000;

/** By HTTP: each acknowledged page view counts once, each visitor once for a page and once for the site. */
export async function checkViews(
  { url, token }: { url: string; token: string },
  ledger: Pick<LedgerFile, 'projectId' | 'views' | 'visitors' | 'visitorsOf'>,
): Promise<Findings> {
  const ask = async (what: 'views' | 'visitors'): Promise<Listing> => {
    const response = await fetch(`${url}/v1/analytics/${ledger.projectId}/${what}?limit=250`, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(30_000),
    });
    if (!response.ok) throw new Error(`${what}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Listing;
  };
  const sent = Object.values(ledger.views).reduce((sum, n) => sum + n, 0);
  const deadline = Date.now() + WITHIN_MS;
  let views = await ask('views');
  while (views.totals.total < sent && Date.now() < deadline) {
    await sleep(1_000);
    views = await ask('views');
  }
  const visitors = await ask('visitors');
  const wrong = [
    ...different('Page views', { site: sent, ...ledger.views }, byPath(views.views, views.totals.total)),
    ...different(
      'Visitors',
      { site: ledger.visitors, ...ledger.visitorsOf },
      byPath(visitors.visitors, visitors.totals.total),
    ),
  ];
  return { wrong, looked: { 'page views': sent, visitors: ledger.visitors } };
}

const byPath = (rows: { path: string; total: number }[] = [], site: number): Record<string, number> => ({
  site,
  ...Object.fromEntries(rows.map(({ path, total }) => [path, total])),
});

function different(what: string, sent: Record<string, number>, told: Record<string, number>): string[] {
  return [...new Set([...Object.keys(sent), ...Object.keys(told)])]
    .filter((path) => (sent[path] ?? 0) !== (told[path] ?? 0))
    .map((path) => `${what} of ${path}: ${sent[path] ?? 0} were sent, ${told[path] ?? 0} are counted.`);
}
