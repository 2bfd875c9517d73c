import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  generateEvents,
  toAccessLogLine,
  toEventInput,
  type TrafficOptions,
} from '../../../scripts/generate-events.ts';
import { classify } from '../../../src/analytics/events/classify/classify.ts';
import { readLogLine } from '../../../src/analytics/ingest/logs/formats/log-line.ts';
import { seenIn } from '../../../src/analytics/ingest/logs/formats/page-view.ts';
import { normalisePath } from '../../../src/analytics/events/normalise-path.ts';

const START = Date.UTC(2026, 9, 1);
const OPTIONS: TrafficOptions = { events: 20_000, days: 30, paths: 200, start: START };
const fingerprint = (options: TrafficOptions) => {
  const hash = createHash('sha256');
  for (const event of generateEvents(options)) hash.update(JSON.stringify(event));
  return hash.digest('hex');
};

/** The share of visitors who come on more than one day. */
const share = (model: 'returning' | 'rare') => {
  const days = new Map<number, Set<number>>();
  for (const { visitor, timestamp } of generateEvents({ ...OPTIONS, model })) {
    const seen = days.get(visitor) ?? new Set();
    days.set(visitor, seen.add(Math.floor(timestamp / 86_400_000)));
  }
  return [...days.values()].filter((seen) => seen.size > 1).length / days.size;
};

describe('generated traffic', () => {
  test('is the same for the same options, and another for another seed', () => {
    expect(fingerprint(OPTIONS)).toBe(fingerprint(OPTIONS));
    expect(fingerprint({ ...OPTIONS, seed: 2 })).not.toBe(fingerprint(OPTIONS));
    expect(fingerprint({ ...OPTIONS, model: 'rare' })).not.toBe(fingerprint(OPTIONS));
  });

  test.each(['returning', 'rare'] as const)('%s: in order, within its days, with ids of their own', (model) => {
    const events = [...generateEvents({ ...OPTIONS, model })];
    expect(events).toHaveLength(20_000);
    expect(new Set(events.map(({ id }) => id)).size).toBe(20_000);
    let before = START;
    for (const { timestamp, path } of events) {
      expect(timestamp).toBeGreaterThanOrEqual(before);
      before = timestamp;
      expect(normalisePath(path)).toEqual({ path, format: 'html' });
    }
    expect(before).toBeLessThan(START + 30 * 86_400_000);
    expect(new Set(events.map(({ timestamp }) => Math.floor(timestamp / 86_400_000))).size).toBe(30);
  });

  test('a visitor keeps its address and user agent, and shares them with nobody', () => {
    for (const model of ['returning', 'rare'] as const) {
      const clients = new Map<number, string>();
      for (const { visitor, ip, userAgent } of generateEvents({ ...OPTIONS, model })) {
        const client = `${ip} ${userAgent}`;
        expect(clients.get(visitor) ?? client).toBe(client);
        clients.set(visitor, client);
      }
      expect(new Set(clients.values()).size).toBe(clients.size);
    }
  });

  test('visitors return in one model and rarely in the other', () => {
    expect(share('returning')).toBeGreaterThan(0.4);
    expect(share('rare')).toBeLessThan(0.3);
  });

  test('has people, assistants and crawlers, as events and as log lines alike', () => {
    const classes = new Set<string>();
    for (const event of generateEvents(OPTIONS)) {
      const line = Buffer.from(toAccessLogLine(event));
      const record = readLogLine(line, 0, line.length);
      if (typeof record === 'string') throw new Error(record);
      expect(record).toMatchObject({
        timestampMs: Math.floor(event.timestamp / 1_000) * 1_000,
        ip: event.ip,
        userAgent: { text: event.userAgent },
        referrer: event.referrer === null ? null : { text: event.referrer },
      });
      expect(seenIn(record)).toMatchObject({
        kind: event.notFound ? 'not-found' : 'view',
        path: { value: event.path },
        format: event.format,
      });
      expect(toEventInput(event)).toMatchObject({ path: event.path, ip: event.ip });
      classes.add(classify(event).class);
    }
    expect([...classes].toSorted()).toEqual(['assistant', 'human', 'other', 'search', 'training']);
  });
});
