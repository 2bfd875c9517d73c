import { expect, test } from 'vitest';
import { readEvent } from '../../../src/analytics/events/read-event.ts';

const NOW = Date.UTC(2026, 10, 18, 10);
const read = (fields: object) =>
  readEvent({ timestamp: NOW, path: '/guide.md', visitorId: 'v', ...fields }, { now: NOW, floorDay: null });

test('the class and the format that a sender gives are believed, and the agent is named anyway', () => {
  expect(read({ userAgent: 'GPTBot/1.3', class: 'human', format: 'html' }).event).toMatchObject({
    class: 'human',
    classGiven: true,
    agent: 'GPTBot',
    format: 'html',
  });
  expect(read({ userAgent: 'GPTBot/1.3', class: null, format: null }).event).toMatchObject({
    class: 'training',
    classGiven: false,
    format: 'md',
  });
});

const byCurl = (given: object) => read({ userAgent: 'curl/8', ...given }).event;

test('the form of a page is that of its path, unless the sender says another one', () => {
  expect(byCurl({ path: '/llms.txt' })).toMatchObject({ format: 'llms.txt', class: 'assistant' });
  expect(byCurl({ path: '/llms-full.txt', format: 'md' })).toMatchObject({ format: 'llms.txt' });
  expect(byCurl({ path: '/mcp', format: 'mcp' })).toMatchObject({ format: 'mcp', class: 'assistant' });
  expect(byCurl({ path: '/mcp' })).toMatchObject({ format: 'html', class: 'other' });
});

test.each<[string, object]>([
  ['`timestamp` must be an RFC 3339 date-time', { timestamp: 'soon' }],
  ['`timestamp` must be an RFC 3339 date-time', { timestamp: Number.NaN }],
  ['`timestamp` is before the year 2000', { timestamp: 1_795_232_533 }],
  ['`path` must be a string', { path: 7 }],
  ['`path` or `url` is missing', { path: null }],
  ['`path` or `url` is not a page', { path: null, url: '/a\0b' }],
  ['`visitorId`, or `ip` with `userAgent`, is missing', { visitorId: null }],
  ['`ip` is not an IP address', { visitorId: null, ip: 'docs.example.com', userAgent: 'x' }],
  ['`userAgent` is required with `ip`', { visitorId: null, ip: '203.0.113.7' }],
  ['`visitorId` has more than 255 characters', { visitorId: 'x'.repeat(256) }],
  ['`id` contains the character U+0000', { id: '\0' }],
  ['`id` contains an unpaired surrogate', { id: '\ud800' }],
  ['`class` must be one of human,', { class: 'robot' }],
  ['`notFound` must be true or false', { notFound: 1 }],
])('what cannot be taken is refused with what is wrong: %s', (message, fields) => {
  expect(() => read(fields)).toThrow(expect.objectContaining({ code: 'event_refused' }));
  expect(() => read(fields)).toThrow(message);
});
