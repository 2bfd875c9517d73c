import { createHash } from 'node:crypto';
import crawlers from 'crawler-user-agents';
import { list as isbotPatterns } from 'isbot';
import { describe, expect, test } from 'vitest';
import { AGENT_RULES, operatorOf } from '@docent/access-log/agents/agent-rules';
import { classify, CLASSIFIER_VERSION } from '@docent/access-log/agents/classify';
import { processorMs } from '../../support/processor-time.ts';

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36';

/** What each vendor publishes, by vendor: the token in its documentation, and what the token means. */
const PUBLISHED: Record<string, Record<string, string>> = {
  OpenAI: { GPTBot: 'training', 'OAI-SearchBot': 'search', 'ChatGPT-User': 'assistant', 'OAI-AdsBot': 'other' },
  Anthropic: { ClaudeBot: 'training', 'Claude-User': 'assistant', 'Claude-SearchBot': 'search' },
  Google: {
    Googlebot: 'search',
    'Googlebot-Image': 'search',
    'Googlebot-Video': 'search',
    'Googlebot-News': 'search',
    'Storebot-Google': 'search',
    'Google-InspectionTool': 'other',
    GoogleOther: 'other',
    'GoogleOther-Image': 'other',
    'GoogleOther-Video': 'other',
    'Google-CloudVertexBot': 'search',
    'Google-Extended': 'training',
    'Google-NotebookLM': 'assistant',
    'Google-Agent': 'assistant',
  },
  Perplexity: { PerplexityBot: 'search', 'Perplexity-User': 'assistant' },
  Meta: {
    'meta-externalagent': 'training',
    'meta-externalfetcher': 'assistant',
    'meta-webindexer': 'search',
    facebookexternalhit: 'other',
    FacebookBot: 'training',
  },
  Amazon: { Amazonbot: 'training', 'Amzn-SearchBot': 'search', 'Amzn-User': 'assistant', bedrockbot: 'search' },
  Apple: { Applebot: 'search', 'Applebot-Extended': 'training' },
  Microsoft: { bingbot: 'search', adidxbot: 'other', BingPreview: 'other' },
  Mistral: { 'MistralAI-User': 'assistant', 'MistralAI-Index': 'search', 'MistralAI-Training': 'training' },
  DuckDuckGo: { DuckAssistBot: 'assistant', DuckDuckBot: 'search' },
  'Common Crawl': { CCBot: 'training' },
  Ai2: { AI2Bot: 'training' },
  'You.com': { YouBot: 'search' },
  Brave: { Bravebot: 'search' },
  Kagi: { 'kagi-fetcher': 'assistant' },
  Parallel: { ShapBot: 'search' },
  Atlassian: { 'atlassian-bot': 'search' },
  Cloudflare: { 'Cloudflare-AutoRAG': 'search' },
};

describe('every AI token that a vendor publishes is known', () => {
  const tokens = Object.entries(PUBLISHED).flatMap(([operator, rows]) =>
    Object.entries(rows).map(([token, class_]) => ({ operator, token, class_ })),
  );
  test.each(tokens)('$operator: $token is $class_', ({ operator, token, class_ }) => {
    for (const userAgent of [
      `Mozilla/5.0 (compatible; ${token}/1.0; +https://example.com)`,
      token,
      token.toUpperCase(),
    ]) {
      const found = classify({ userAgent, format: 'html' });
      expect(found).toMatchObject({ class: class_, source: 'rule', version: CLASSIFIER_VERSION });
      expect(operatorOf(found.agent ?? '')).toBe(operator);
    }
  });
});

describe('user agents as they come', () => {
  test.each([
    [
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; ChatGPT-User/1.0; +https://openai.com/bot',
      'assistant',
      'ChatGPT-User',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36; compatible; OAI-SearchBot/1.3; +https://openai.com/searchbot',
      'search',
      'OAI-SearchBot',
    ],
    ['Claude-User (claude-code/2.1.83; +https://support.anthropic.com/)', 'assistant', 'Claude-Code'],
    ['claude-cli/2.1.205 (external, cli)', 'assistant', 'Claude-Code'],
    [
      'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-User/1.0; +Claude-User@anthropic.com)',
      'assistant',
      'Claude-User',
    ],
    ['codex_cli_rs/0.46.0 (Mac OS 15.6; arm64) Terminal', 'assistant', 'Codex'],
    ['GeminiCLI/0.8.1 (linux; x64)', 'assistant', 'Gemini CLI'],
    ['opencode/0.14.1', 'assistant', 'opencode'],
    ['NetSurf/3.11 (Linux; x86_64)', 'human', null],
    ['Dillo/3.0.5', 'human', null],
    [
      'Mozilla/5.0 (Linux; Android 7.0; M bot 60 Build/NRD90M; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/67.0.3396.87 Mobile Safari/537.36',
      'human',
      null,
    ],
    [
      'Mozilla/5.0 (Linux; Android 7.0; M bot 60 Build/NRD90M) AppleWebKit/537.36 (KHTML, like Gecko) (compatible; some-bot/1.0)',
      'other',
      null,
    ],
    ['GitHubCopilotChat/0.31.0', 'assistant', 'GitHub Copilot'],
    ['Windsurf/1.12.0', 'assistant', 'Windsurf'],
    ['Devin/1.0 (+https://devin.ai)', 'assistant', 'Devin'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Cursor/2.0.34 Chrome/138.0.7204.251 Electron/37.6.0 Safari/537.36',
      'assistant',
      'Cursor',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Code/1.105.1 Chrome/138.0.7204.251 Electron/37.6.0 Safari/537.36',
      'assistant',
      'VS Code',
    ],
    ['Mozilla/5.0 (compatible; cohere-training-data-crawler/1.0)', 'training', 'cohere-training-data-crawler'],
    [
      'Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Mobile Safari/537.36 (compatible; Bytespider; spider-feedback@bytedance.com)',
      'training',
      'Bytespider',
    ],
    ['Mozilla/5.0 (compatible; AhrefsBot/7.0; +http://ahrefs.com/robot/)', 'other', 'AhrefsBot'],
    ['Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)', 'other', expect.stringContaining('Slack')],
    ['Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)', 'search', 'YandexBot'],
    ['SomethingNobodyKnowsBot/0.1', 'other', null],
    ['', 'other', null],
    ['-', 'other', null],
  ])('%s', (userAgent, class_, agent) => {
    expect(classify({ userAgent, format: 'html' })).toMatchObject({ class: class_, agent });
  });

  test.each([
    CHROME,
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
    'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 OPR/125.0.0.0',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0.7444.77 Mobile/15E148 Safari/604.1',
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36',
    'Mozilla/5.0 (Linux; Android 11; CUBOT X30) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [FBAN/FBIOS;FBAV/533.0.0.41.104;FBDV/iPhone14,5]',
    'Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/AP2A; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/126.0.0.0 Mobile Safari/537.36 Instagram 340.0.0.22.109 Android',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Vivaldi/7.6',
    'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 YaBrowser/25.10.0.0 Safari/537.36',
  ])('a person stays a person: %s', (userAgent) => {
    expect(classify({ userAgent, format: 'html' })).toMatchObject({ class: 'human', agent: null });
  });

  test('no crawler of the public list is taken for a person', () => {
    const people = crawlers
      .flatMap(({ instances }) => instances)
      .filter((userAgent) => classify({ userAgent, format: 'html' }).class === 'human');
    expect(people).toEqual([]);
  });

  test('a token inside a longer word is not that agent', () => {
    expect(classify({ userAgent: 'MyGPTBotany/1.0', format: 'html' }).source).not.toBe('rule');
    expect(classify({ userAgent: `${CHROME} Cursor`, format: 'html' }).class).toBe('human');
  });
});

describe('Markdown', () => {
  test('counts unknown clients that request it as assistants', () => {
    for (const userAgent of [CHROME, 'axios/1.8.4', 'curl/8.7.1', 'Go-http-client/2.0', 'unheard-of/1.0', '', null]) {
      expect(classify({ userAgent, format: 'md' })).toMatchObject({
        class: 'assistant',
        agent: null,
        source: 'markdown',
      });
    }
  });

  test('known clients keep their class', () => {
    expect(classify({ userAgent: 'GPTBot/1.3', format: 'md' })).toMatchObject({ class: 'training', source: 'rule' });
    expect(classify({ userAgent: 'Googlebot/2.1', format: 'md' }).class).toBe('search');
    expect(classify({ userAgent: 'UptimeRobot/2.0', format: 'md' }).class).toBe('other');
    expect(classify({ userAgent: 'SomethingNobodyKnowsBot/0.1', format: 'md' }).class).toBe('other');
  });
});

test('a sender that records no user agents counts people', () => {
  expect(classify({ userAgent: null, format: 'html' }).class).toBe('human');
});

const judge = (userAgent: string) => classify({ userAgent, format: 'html' });

test('hostile user agents are judged in bounded time', () => {
  const ms = processorMs(() => {
    for (const text of ['Spider ', 'bot', 'Mozilla/5.0 (', '(((((((', '\u0000\ud800', 'a.b.c.d/']) {
      for (let n = 0; n < 5; n += 1) judge(`${text.repeat(200_000 / text.length)}${n}`);
      for (let n = 0; n < 20; n += 1) judge(`${n}${text.repeat(1_000 / text.length)}`);
    }
  });
  expect(ms).toBeLessThan(10_000);
});

describe('the table', () => {
  test('every row says where it is documented, and is named once', () => {
    for (const rule of AGENT_RULES) expect(rule.source, rule.agent).toMatch(/^https:\/\/\S+$/);
    const agents = AGENT_RULES.map(({ agent }) => agent);
    expect(new Set(agents).size).toBe(agents.length);
  });

  test('no row hides another', () => {
    for (const rule of AGENT_RULES) {
      if (!rule.token) continue;
      expect(classify({ userAgent: `${rule.token}/1.0`, format: 'html' }).agent, rule.token).toBe(rule.agent);
    }
  });

  test('has a new version when the tables change, so that stored events are classified again', () => {
    const hash = createHash('sha256').update(`${CLASSIFIER_VERSION}\n`);
    for (const rule of AGENT_RULES) {
      hash.update(`${rule.agent}|${rule.operator}|${rule.class}|${rule.token ?? String(rule.pattern)}\n`);
    }
    const named: { pattern: string; tags?: string[] }[] = crawlers;
    for (const { pattern, tags } of named) hash.update(`${pattern}|${tags}\n`);
    hash.update(isbotPatterns.join('\n'));
    // When this fails: raise CLASSIFIER_VERSION, then write the new value here.
    expect(hash.digest('hex').slice(0, 16)).toBe('8f9d5632fc36ce8d');
  });
});
