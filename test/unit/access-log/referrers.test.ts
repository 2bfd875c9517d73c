import { describe, expect, test } from 'vitest';
import { channelOf, utmHost } from '@docent/access-log/pages/channels';
import { readEvent } from '../../../src/analytics/events/read-event.ts';
import { referrerHost } from '@docent/access-log/pages/referrer-host';
import { logText } from '@docent/access-log/lines/log-text';
import { seenIn } from '@docent/access-log/lines/page-view';

const NOW = Date.UTC(2026, 10, 1);

/** Events and access logs give the same host for the same text. */
const fromEvent = (referrer: string) =>
  readEvent({ timestamp: NOW, path: '/', visitorId: 'v', referrer }, { now: NOW, floorDay: null }).event.referrer;
const fromLog = (referrer: string) => referrerHost(referrer)?.value ?? null;

describe.each([
  ['an event', fromEvent],
  ['a log', fromLog],
])('the referrer of %s', (_, hostOf) => {
  test.each([
    ['https://www.Google.com/search?q=docs', 'google.com'],
    ['http://news.example.net:8080/item?id=42#top', 'news.example.net'],
    ['https://docs.example.com.', 'docs.example.com'],
    ['android-app://com.slack/', 'com.slack'],
    ['https://bücher.example/liste', 'xn--bcher-kva.example'],
    ['http://192.0.2.7/wiki', '192.0.2.7'],
    ['http://[2001:db8::7]/wiki', '[2001:db8::7]'],
    ['http://localhost:3000/', 'localhost'],
    // Senders that leave the scheme out.
    ['google.com/x', 'google.com'],
    ['www.example.org', 'example.org'],
    ['example.org:8443/a', 'example.org'],
    ['192.0.2.7/wiki', '192.0.2.7'],
    ['acme.github.io/x', 'acme.github.io'],
    ['example.co.uk', 'example.co.uk'],
    ['http://wiki/page', 'wiki'],
    ['http://build_server.example/x', 'build_server.example'],
  ])('%s is of %s', (text, host) => {
    expect(hostOf(text)).toBe(host);
  });

  test.each([
    '',
    '-',
    '/guide/start',
    'direct',
    '(not set)',
    'not a url',
    'mailto:somebody@example.org',
    'about:blank',
    'data:text/html,hello',
    'javascript:alert(1)',
    'http://',
    'somebody@example.org',
    // Not of DNS, or of no page.
    'http://{{domain}}/',
    "http://a'b.example/",
    'http://-a.example/',
    'http://a..example/',
    'http://%20.example/',
    'chrome-extension://aapbdbdomjkkjkaonfhkkikfgjllcleb/',
    'moz-extension://0a1b2c3d/x.html',
    'vscode-webview://abc.def/',
    'file://share/docs/index.html',
    'ftp://files.example.org/',
    // Without a scheme, and only like a name.
    'index.html',
    'guide.mdx',
    'v1.2.3',
    '1.2',
    'node.js',
    'foo.bar.baz.notatld',
    '${referrer.host}',
  ])('%j names no host', (text) => {
    expect(hostOf(text)).toBeNull();
  });

  test.each([
    ['a name of 254 characters', `http://${'a'.repeat(254)}.example/`],
    ['a name of many labels', `https://${'a.'.repeat(500)}example/`],
    ['5,000 characters of junk', 'a'.repeat(5_000)],
    ['5,000 characters of junk with a dot', `${'a'.repeat(4_990)}.example`],
    ['5,000 characters of labels', `http://${'a.'.repeat(2_500)}example/`],
  ])('%s is no host', (_what, text) => {
    expect(hostOf(text)).toBeNull();
  });

  test('a long address on a host is of that host', () => {
    expect(hostOf(`https://example.org/${'a'.repeat(5_000)}`)).toBe('example.org');
  });
});

test.each([
  ['chatgpt.com', 'ai-assistant'],
  ['perplexity.ai', 'ai-assistant'],
  ['gemini.google.com', 'ai-assistant'],
  ['copilot.microsoft.com', 'ai-assistant'],
  ['google.com', 'search'],
  ['google.co.uk', 'search'],
  ['google.com.br', 'search'],
  ['cn.bing.com', 'search'],
  ['docs.google.com', 'other'],
  ['old.reddit.com', 'social'],
  ['com.slack', 'social'],
  ['gist.github.com', 'code'],
  ['acme.github.io', 'other'],
  ['not-github.com', 'other'],
  ['github.com.example.org', 'other'],
  ['netflix.com', 'other'],
  ['localhost', 'other'],
  ['[2001:db8::7]', 'other'],
  [null, 'direct'],
])('%s is in the channel %s', (host, channel) => {
  expect(channelOf(host)).toBe(channel);
});

const utmOfEvent = (url: string, referrer: string | null = null) =>
  readEvent({ timestamp: NOW, url, visitorId: 'v', referrer }, { now: NOW, floorDay: null }).event.referrer;
const utmOfLog = (target: string) => {
  const seen = seenIn({ method: 'GET', status: 200, pathOrUrl: logText(target) });
  return typeof seen === 'string' ? seen : (seen.source?.value ?? null);
};

describe('utm_source', () => {
  test.each([
    ['/guide?utm_source=chatgpt.com', 'chatgpt.com'],
    ['/guide?a=1&utm_source=ChatGPT.com#x', 'chatgpt.com'],
    ['/guide?utm_source=perplexity&utm_medium=x', 'perplexity.ai'],
    ['/guide?utm_source=newsletter', null],
    ['/guide?utm_source=reader%40example.org', null],
    ['/guide?utm_source=chatgpt.com.evil.example', null],
    ['/guide?xutm_source=chatgpt.com', null],
    ['/utm_source=chatgpt.com', null],
  ])('%s counts as a visit from %s, in events and in logs', (url, host) => {
    expect([utmOfEvent(url), utmOfLog(url), utmHost(url)?.value ?? null]).toEqual([host, host, host]);
  });

  test('gives way to a referrer', () => {
    expect(utmOfEvent('/guide?utm_source=chatgpt.com', 'https://news.example.net/')).toBe('news.example.net');
  });
});
