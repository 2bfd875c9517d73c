import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson } from '../../../src/api/middleware/parse-json.ts';
import { AppError } from '../../../src/platform/errors.ts';

const read = (text: string) => parseJson(Buffer.from(text));

test('every storable JSON value is read as it is', () => {
  const storable = fc.string({ unit: 'grapheme' }).filter((text) => text.isWellFormed() && !text.includes('\0'));
  fc.assert(
    fc.property(
      fc.dictionary(storable, fc.oneof(storable, fc.integer(), fc.boolean(), fc.array(storable))),
      (value) => {
        const text = JSON.stringify(value);
        expect(JSON.stringify(read(text))).toBe(JSON.stringify(JSON.parse(text)));
      },
    ),
  );
});

test('whatever the bytes are, the answer is a value or an error of the caller', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      try {
        parseJson(Buffer.from(bytes));
      } catch (err) {
        expect(err).toBeInstanceOf(AppError);
        expect(['bad_request', 'invalid_json']).toContain((err as AppError).code);
      }
    }),
  );
});

test('64 levels are read, 65 are not, and brackets in strings do not count', () => {
  expect(() => read('['.repeat(64) + ']'.repeat(64))).not.toThrow();
  expect(() => read('['.repeat(65) + ']'.repeat(65))).toThrow('64 levels');
  expect(read(JSON.stringify({ a: '['.repeat(1_000) }))).toEqual({ a: '['.repeat(1_000) });
  expect(read(String.raw`{"a":"\"[[[\\"}`)).toEqual({ a: '"[[[\\' });
  expect(read(`[${'[],'.repeat(1_000)}[]]`)).toHaveLength(1_001);
});

test('prototypes stay as they are', () => {
  const value = read('{"__proto__":{"polluted":true},"a":1}') as Record<string, unknown>;
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  expect(Object.keys(value)).toEqual(['__proto__', 'a']);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test('strings that cannot be stored are named', () => {
  expect(() => read(String.raw`{"a":{"b":["x","\u0000"]}}`)).toThrow('`a.b[1]`');
  expect(() => read(String.raw`{"a":"\udfff"}`)).toThrow('unpaired surrogate');
  expect(read(String.raw`{"a":"\ud83e\udd89"}`)).toEqual({ a: '🦉' });
});

test('a byte order mark is not a part of the text', () => {
  expect(parseJson(Buffer.from('\ufeff{"a":1}'))).toEqual({ a: 1 });
});
