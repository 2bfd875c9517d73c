import { open } from 'node:fs/promises';
import { mix, randomFrom } from '../random.ts';

/**
 * Possible visitors. Their rank follows u^2.2: some come thousands of times, most a few times.
 */
export const CLIENTS = 300_000;
const SKEW = 2.2;
const PAGES = 2_000;
const BEGIN = Date.UTC(2026, 9, 1);
const SITE = 'https://docs.example.com';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const SYSTEMS = [
  'Windows NT 10.0; Win64; x64',
  'Macintosh; Intel Mac OS X 10_15_7',
  'X11; Linux x86_64',
  'Linux; Android 10; K',
  'X11; CrOS x86_64 14541.0.0',
];
const MACHINES = [
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.3; +https://openai.com/gptbot',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ClaudeBot/1.0; +claudebot@anthropic.com)',
  'Claude-User (claude-code/2.1.83; +https://support.anthropic.com/)',
  'Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'python-requests/2.32.3',
  'Go-http-client/2.0',
  'curl/8.7.1',
];
const SEARCHES = ['https://www.google.com/', 'https://www.bing.com/', 'https://duckduckgo.com/', 'https://github.com/'];

/**
 * Lines of a docs site's combined log, in order of time and the same on any machine: {@link CLIENTS}
 * addresses of IPv4 and IPv6, some hundred user agents (two in ten are machines), 2,000 pages by Zipf's law
 * in several spellings, a quarter assets, and broken links, redirects, errors and other methods. Each
 * property is drawn independently.
 */
export function* accessLog(lines: number): Generator<string> {
  const random = randomFrom(mix(20_261_001, 0));
  const chance = (share: number) => random() < share;
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const page = () => pageName(Math.floor(PAGES ** random()) - 1);
  let at = BEGIN;
  for (let no = 0; no < lines; no += 1) {
    // About a line a second; at night fewer.
    const rhythm = 1 - 0.8 * Math.cos((2 * Math.PI * at) / 86_400_000);
    at += (-Math.log(1 - random()) * 1_000) / Math.max(rhythm, 0.2);
    const client = Math.floor(CLIENTS * random() ** SKEW);
    const [method, target, status] = request();
    const referrer = chance(0.35) ? '-' : chance(0.7) ? SITE + page() : chance(0.8) ? one(SEARCHES) : search();
    const bytes = 200 + Math.floor(random() * 60_000);
    yield `${addressOf(client)} - - [${clfTime(at)}] "${method} ${target} HTTP/1.1" ${status} ${bytes} "${referrer}" "${userAgentOf(client)}"\n`;
  }

  function request(): [string, string, number] {
    if (chance(0.25))
      return ['GET', `/_next/static/chunks/${Math.floor(random() * 400)}-5f3c.js`, chance(0.5) ? 200 : 304];
    if (chance(0.03)) return [one(['POST', 'HEAD', 'OPTIONS']), page(), 200];
    if (chance(0.03)) return ['GET', page(), one([301, 308])];
    if (chance(0.01)) return ['GET', page(), one([403, 500, 502])];
    if (chance(0.04)) return ['GET', `/old/${Math.floor(random() * 20_000)}/setup`, 404];
    return ['GET', spelled(page()), chance(0.1) ? 304 : 200];
  }

  function spelled(path: string): string {
    if (chance(0.15)) return `${path}/`;
    if (chance(0.1)) return `${path}?utm_source=news&utm_campaign=${Math.floor(random() * 50)}`;
    if (chance(0.04)) return `${path}.md`;
    return chance(0.01) ? path.replace('-', '%2D') : path;
  }

  function search(): string {
    return `https://search.example.org/find?q=${Math.floor(random() * 1e9).toString(36)}&page=${Math.floor(random() * 9)}`;
  }
}

/** @returns its size in bytes */
export async function writeAccessLog(file: string, lines: number): Promise<number> {
  const handle = await open(file, 'wx');
  let bytes = 0;
  try {
    let chunk = '';
    for (const line of accessLog(lines)) {
      chunk += line;
      if (chunk.length < 1 << 20) continue;
      bytes += (await handle.write(chunk)).bytesWritten;
      chunk = '';
    }
    bytes += (await handle.write(chunk)).bytesWritten;
  } finally {
    await handle.close();
  }
  return bytes;
}

const SECTIONS = ['guides', 'reference', 'concepts', 'api', 'integrations', 'troubleshooting'];

const pageName = (no: number) => `/${SECTIONS[no % SECTIONS.length]}/topic-${Math.floor(no / 24)}/page-${no}`;

/**
 * Reserved addresses: 100.64.0.0/10 (RFC 6598) and, for a third of all, 2001:db8::/32 (RFC 3849).
 */
function addressOf(client: number): string {
  const bits = mix(client, 1);
  const [high, low] = [client >>> 8, client & 255];
  if (bits % 3 > 0) return `100.${64 + (high >>> 8)}.${high & 255}.${low}`;
  const part = (n: number) => (mix(client, n) & 0xffff).toString(16);
  if (bits % 30 === 0) return `2001:db8:${part(2)}:${high.toString(16)}::${low.toString(16)}`;
  return `2001:db8:${part(2)}:${part(3)}:${part(4)}:${part(5)}:${high.toString(16)}:${low.toString(16)}`;
}

/** A browser of 5 systems, 3 makers and 24 versions, newer ones more often, or a machine. */
function userAgentOf(client: number): string {
  const bits = mix(client, 6);
  if (bits % 5 === 0) return MACHINES[mix(client, 7) % MACHINES.length]!;
  const system = SYSTEMS[mix(client, 8) % SYSTEMS.length]!;
  const version = 143 - Math.floor(24 * (mix(client, 9) / 2 ** 32) ** 2);
  const maker = mix(client, 10) % 3;
  if (maker === 0) return `Mozilla/5.0 (${system}; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`;
  const chrome = `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36`;
  return maker === 1 ? chrome : `${chrome} Edg/${version}.0.0.0`;
}

const two = (value: number) => String(value).padStart(2, '0');

function clfTime(instant: number): string {
  const at = new Date(instant);
  const clock = `${two(at.getUTCHours())}:${two(at.getUTCMinutes())}:${two(at.getUTCSeconds())}`;
  return `${two(at.getUTCDate())}/${MONTHS[at.getUTCMonth()]}/${at.getUTCFullYear()}:${clock} +0000`;
}
