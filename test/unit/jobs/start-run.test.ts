import { expect, test } from 'vitest';
import { readable } from '../../../src/jobs/start-run.ts';

test.each([
  ['{"a":[1,{"b":"]]"}]}', '{\n  "a": [\n    1,\n    {\n      "b": "]]"\n    }\n  ]\n}'],
  ['a=1&b=[', 'a=1&b=['],
  ['', ''],
])('shows %j on several lines if it is JSON', (sent, shown) => {
  expect(readable(Buffer.from(sent))).toBe(shown);
});

test.each([
  ['one deep value', '['.repeat(200_000) + ']'.repeat(200_000)],
  ['many deep values', `[${Array.from({ length: 400 }, () => '['.repeat(1_000) + ']'.repeat(1_000)).join(',')}]`],
  ['brackets in strings before it', `["${']'.repeat(1_000)}",${'['.repeat(1_000)}${']'.repeat(1_000)}]`],
])('leaves JSON with %s as it was sent', (_what, sent) => {
  expect(readable(Buffer.from(sent))).toBe(sent);
});
