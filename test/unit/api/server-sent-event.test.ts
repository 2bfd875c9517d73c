import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { array, assert, integer, option, property, record, string } from 'fast-check';
import { expect, test } from 'vitest';
import { BEGINNING, comment, serverSentEvent } from '../../../src/api/streams/job-stream.ts';
import { anyCharacter } from '../../support/any-character.ts';

test('whatever is in an event is read back as it was, in pieces of any length, and makes no other event', () => {
  const text = string({ unit: anyCharacter, maxLength: 40 });
  const event = record({
    id: option(integer({ min: 0 }), { nil: undefined }),
    data: record({ text, more: array(text) }),
  });
  assert(
    property(array(event, { maxLength: 6 }), integer({ min: 1, max: 50 }), (events, piece) => {
      const sent = [
        BEGINNING,
        ...events.flatMap((one) => [comment('still here'), serverSentEvent({ ...one, type: 'step' })]),
      ];
      const bytes = Buffer.from(sent.join(''));
      const read: EventSourceMessage[] = [];
      const parser = createParser({
        onEvent: (message) => read.push(message),
        onError: (err) => {
          throw err;
        },
      });
      const decoder = new TextDecoder();
      for (let at = 0; at < bytes.length; at += piece)
        parser.feed(decoder.decode(bytes.subarray(at, at + piece), { stream: true }));
      expect(read.map(({ id, event: type, data }) => ({ id, type, data: JSON.parse(data) as unknown }))).toEqual(
        events.map(({ id, data }) => ({ id: id === undefined ? undefined : String(id), type: 'step', data })),
      );
    }),
  );
});
