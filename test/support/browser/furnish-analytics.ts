import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { DAY_MS } from '@docent/base/time';
import type { components } from '../../../packages/client/src/index.ts';
import { BARE_ENV } from '../bare-env.ts';
import type { Installation } from '../installation.ts';
import { CLI } from '../processes.ts';

type Event = components['schemas']['Event'];

const SITE = 'https://docs.example.com';
const MAX_EVENTS = 1_000;

const BROWSERS = [
  'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
];
const PROGRAMS = [
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-User/1.0; +Claude-User@anthropic.com)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; PerplexityBot/1.0; +https://perplexity.ai/perplexitybot)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
];
const REFERRERS = ['https://www.google.com/', 'https://news.ycombinator.com/item', 'https://github.com/acme/acme', ''];
const PAGES = ['/', '/quickstart', '/guides/install', '/guides/deploy', '/guides/domains', '/reference/api'].concat(
  Array.from({ length: 34 }, (_, i) => `/reference/settings/option-${i + 1}`),
);
const MISSING = ['/docs/getting-started', '/guides/instal', '/v1/reference'];
/** What untrusted people write where they can. */
export const HOSTILE_PATHS = [
  '/<img src=x onerror=alert(1)>',
  '/"><script>alert(2)</script>',
  "/javascript:alert('3')",
  `/${'very-long-'.repeat(60)}`,
  '/\u202Egnp.exe/=cmd,"quoted"',
];

/** Sends events, as many as there are, and waits until they are counted. */
export async function sendEvents(docent: Installation, events: Event[], projectId = docent.projectId): Promise<void> {
  for (let i = 0; i < events.length; i += MAX_EVENTS) {
    const { data, error } = await docent.client.POST('/v1/analytics/{projectId}/events', {
      params: { path: { projectId } },
      body: { events: events.slice(i, i + MAX_EVENTS) },
    });
    if (!data || data.rejectedCount > 0) throw new Error(JSON.stringify(error ?? data?.rejected));
  }
}

/**
 * Sixty days of readers, the same each time: people, assistants, crawlers, broken links, and what untrusted
 * people write into paths.
 */
export function twoMonths(now = Date.now()): Event[] {
  const events: Event[] = [];
  const random = randomly(7);
  for (let ago = 59; ago >= 0; ago--) {
    const start = Math.floor(now / DAY_MS) * DAY_MS - ago * DAY_MS;
    const isWeekend = [0, 6].includes(new Date(start).getUTCDay());
    const length = ago === 0 ? now - start : DAY_MS;
    const at = () => start + Math.floor(random() * length);
    const people = Math.round((24 + (59 - ago) * 0.5 + random() * 8) * (isWeekend ? 0.45 : 1));
    for (let i = 0; i < people; i++) {
      const reader = `203.0.113.${Math.floor(random() * 250)}`;
      const userAgent = BROWSERS[i % BROWSERS.length];
      const referrer = REFERRERS[Math.floor(random() * REFERRERS.length)];
      for (let view = 0; view < 1 + random() * 3; view++) {
        const path = PAGES[Math.floor(random() ** 2.5 * PAGES.length)];
        events.push({ timestamp: at(), path, ip: reader, userAgent, ...(view === 0 && referrer ? { referrer } : {}) });
      }
    }
    const programs = Math.round(6 + (59 - ago) * 0.35 + random() * 5);
    for (let i = 0; i < programs; i++) {
      const userAgent = PROGRAMS[Math.floor(random() ** 1.6 * PROGRAMS.length)];
      const path = PAGES[Math.floor(random() ** 2 * PAGES.length)];
      events.push({ timestamp: at(), path, visitorId: `program-${Math.floor(random() * 200)}`, userAgent });
    }
    if (ago % 4 === 0) {
      const path = MISSING[(ago / 4) % MISSING.length];
      const referrer = 'https://blog.example.org/a-post';
      events.push({ timestamp: at(), path, visitorId: `lost-${ago}`, notFound: true, referrer });
    }
  }
  for (const [i, path] of HOSTILE_PATHS.entries()) {
    const visitorId = `stranger-${i}`;
    events.push({ timestamp: now - 60_000, path, visitorId, referrer: 'https://xn--80ak6aa92e.com/<b>' });
    events.push({ timestamp: now - 50_000, path: `${path}/gone`, visitorId, notFound: true });
  }
  return events;
}

/** Readers of two months, what they said and searched for, and a pull request that was merged. */
export async function furnishAnalytics(docent: Installation, jobId?: string): Promise<void> {
  await sendEvents(docent, twoMonths());
  const say = async (what: 'feedback' | 'search', words: object) => {
    const response = await fetch(`${docent.apiUrl}/${docent.projectId}/${what}`, {
      method: 'POST',
      body: JSON.stringify(words),
      headers: { 'Content-Type': 'text/plain', Origin: SITE, 'User-Agent': BROWSERS[0] ?? '' },
    });
    if (!response.ok) throw new Error(`${what}: ${response.status} ${await response.text()}`);
  };
  for (const helpful of [true, true, false]) await say('feedback', { url: `${SITE}/guides/deploy`, helpful });
  await say('feedback', { url: `${SITE}/quickstart`, helpful: false, comment: 'The second step fails.' });
  for (const query of ['custom domain', 'custom domain', 'sso', '<b>bold</b>']) {
    await say('search', { url: `${SITE}/`, query });
  }
  await say('search', { url: `${SITE}/`, query: 'custom domain', clicked: '/guides/domains' });
  if (jobId === undefined) return;
  const { error } = await docent.client.POST('/v2/agent/{projectId}/job/{id}/pull-request/merge', {
    params: { path: { projectId: docent.projectId, id: jobId } },
  });
  if (error) throw new Error(error.error);
}

/**
 * `docent analytics import` of these lines, as on the server's machine.
 * @param folder the installation's analytics folder
 */
export async function importLog(
  docent: Installation,
  { projectId, folder }: { projectId: string; folder: string },
  lines: readonly string[],
): Promise<void> {
  const child = spawn(process.execPath, [CLI, 'analytics', 'import', '--project', projectId, '-'], {
    env: { ...BARE_ENV, HOME: docent.folder, DATABASE_URL: docent.database.url, DOCENT_ANALYTICS_DIR: folder },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stdin.end(lines.join('\n') + '\n');
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`The import ended with ${code}: ${output}`);
}

/** The same numbers each time, from 0 to 1. */
function randomly(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}
