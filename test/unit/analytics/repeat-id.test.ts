import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { VIEW_FORMATS } from '@docent/access-log/event-kind';
import type { StoredEvent } from '../../../src/analytics/events/event.ts';
import { repeatId } from '../../../src/analytics/ingest/ingestor.ts';

const said: fc.Arbitrary<Omit<StoredEvent, 'id'>> = fc.record({
  time: fc.integer({ min: 0 }),
  path: fc.string(),
  visitor: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  class: fc.constantFrom('human' as const, 'assistant' as const),
  classGiven: fc.boolean(),
  userAgent: fc.option(fc.string()),
  agent: fc.option(fc.string()),
  format: fc.constantFrom(...VIEW_FORMATS),
  referrer: fc.option(fc.string()),
  notFound: fc.boolean(),
  classifier: fc.integer(),
  verified: fc.option(fc.boolean()),
  verifiedBy: fc.constant(null),
});
const place = fc.record({ key: fc.string({ minLength: 1 }), first: fc.nat(), index: fc.nat({ max: 1_000 }) });

test('a repeated event at the same position keeps its id, for any split of the request and any classifier', () => {
  fc.assert(
    fc.property(said, place, fc.nat({ max: 1_000 }), (event, { key, first, index }, cut) => {
      const id = repeatId('acme', { key, first }, index, event);
      expect(id).toMatch(/^[0-9a-f]{32}$/);
      const again = { ...event, agent: 'Another', classifier: event.classifier + 1, verified: !event.verified };
      if (!event.classGiven) again.class = 'assistant';
      expect(repeatId('acme', { key, first: first + index - Math.min(cut, index) }, Math.min(cut, index), again)).toBe(
        id,
      );
    }),
  );
});

test('an event with other content or another position has another id', () => {
  fc.assert(
    fc.property(said, place, (event, { key, first, index }) => {
      const id = repeatId('acme', { key, first }, index, event);
      const others: Omit<StoredEvent, 'id'>[] = [
        { ...event, time: event.time + 1 },
        { ...event, path: `${event.path}/x` },
        { ...event, visitor: event.visitor ^ 1n },
        { ...event, classGiven: !event.classGiven },
        { ...event, userAgent: `${event.userAgent}x` },
        { ...event, format: event.format === 'md' ? 'html' : 'md' },
        { ...event, referrer: `${event.referrer}x` },
        { ...event, notFound: !event.notFound },
      ];
      for (const other of others) expect(repeatId('acme', { key, first }, index, other)).not.toBe(id);
      expect(repeatId('other', { key, first }, index, event)).not.toBe(id);
      expect(repeatId('acme', { key: `${key}x`, first }, index, event)).not.toBe(id);
      expect(repeatId('acme', { key, first: first + 1 }, index, event)).not.toBe(id);
    }),
  );
});
