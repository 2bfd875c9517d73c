import type { components } from '@docent/client';
import { DAY_MS } from '@docent/base/time';
import { randomFrom } from '../../random.ts';

type Event = components['schemas']['EventBatch']['events'][number];

const DAYS = 60;
const PAGES = [
  '/quickstart',
  '/guides/install',
  '/',
  '/guides/deploy',
  '/reference/api',
  '/reference/errors',
  '/guides/domains',
  '/reference/cli',
  '/guides/webhooks',
];
const BROWSERS = [
  'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
];
/** Agents, with an address that their operator publishes, one that it does not, or none. */
const AGENTS = [
  {
    userAgent:
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot',
    ip: '104.208.184.193',
  },
  {
    userAgent:
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-User/1.0; +Claude-User@anthropic.com)',
    ip: '216.73.216.9',
  },
  { userAgent: 'Cursor/2.0.43 (linux)' },
  {
    userAgent: 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
    ip: '132.196.86.1',
  },
  {
    userAgent: 'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
    ip: '198.51.100.7',
  },
  { userAgent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
];
const REFERRERS = ['https://www.google.com/', 'https://github.com/acme/acme', 'https://chatgpt.com/', ''];

/**
 * Two months of people and AI agents with a growing number of readers, fewer on weekends; the same at each
 * call.
 */
export function sampleReaders(now = Date.now()): Event[] {
  const random = randomFrom(7);
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() ** 2 * list.length)]!;
  const events: Event[] = [];
  for (let ago = DAYS; ago >= 1; ago -= 1) {
    const day = Math.floor(now / DAY_MS) * DAY_MS - ago * DAY_MS;
    const at = () => day + Math.floor(random() * DAY_MS);
    const isWeekend = [0, 6].includes(new Date(day).getUTCDay());
    const people = Math.round((60 + (DAYS - ago) * 1.4 + random() * 18) * (isWeekend ? 0.5 : 1));
    for (let i = 0; i < people; i += 1) {
      const reader = { ip: `203.0.113.${Math.floor(random() * 250)}`, userAgent: BROWSERS[i % BROWSERS.length] };
      const referrer = pick(REFERRERS);
      for (let view = 0; view < 1 + random() * 3; view += 1)
        events.push({ timestamp: at(), path: pick(PAGES), ...reader, ...(view === 0 && referrer && { referrer }) });
    }
    const agents = Math.round(20 + (DAYS - ago) * 0.9 + random() * 10);
    for (let i = 0; i < agents; i += 1)
      events.push({
        timestamp: at(),
        path: pick(PAGES),
        visitorId: `agent-${Math.floor(random() * 200)}`,
        ...pick(AGENTS),
        format: random() < 0.4 ? 'md' : 'html',
      });
    for (let i = 0; i < ago % 3; i += 1)
      events.push({
        timestamp: at(),
        path: '/docs/getting-started',
        visitorId: `lost-${ago}-${i}`,
        notFound: true,
        referrer: 'https://blog.example.org/a-post',
      });
  }
  return events;
}
