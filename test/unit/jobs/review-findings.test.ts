import { expect, test } from 'vitest';
import { addedLines, findingsIn, findingText, placedFindings } from '../../../src/jobs/review-findings.ts';

const DIFF = [
  'diff --git a/docs/a.md b/docs/b.md',
  'rename from docs/a.md',
  'rename to docs/b.md',
  '--- a/docs/a.md',
  '+++ b/docs/b.md',
  '@@ -4,3 +4,4 @@ # Start',
  ' Before.',
  '-Old.',
  '+New.',
  '+More.',
  ' After.',
  '',
].join('\n');

test.for([
  ['- docs/b.md:5: It is wrong.', { path: 'docs/b.md', line: 5, body: 'It is wrong.' }],
  ['* `docs/b.md:5` – It is wrong.', { path: 'docs/b.md', line: 5, body: 'It is wrong.' }],
  ['- **docs/b.md:5**: It is wrong.', { path: 'docs/b.md', line: 5, body: 'It is wrong.' }],
  ['- /my docs/b.md:5: It is wrong.', { path: 'my docs/b.md', line: 5, body: 'It is wrong.' }],
  ['- docs/b.md:5: It is wrong.\n  Write this.', { path: 'docs/b.md', line: 5, body: 'It is wrong.\nWrite this.' }],
  ['- See docs/b.md.', null],
  ['docs/b.md:5: It is wrong.', null],
  ['- At 12:30 it is late.', null],
] as const)('reads a finding about a line: %s', ([said, finding]) => {
  const found = findingsIn(`Summary.\n\n${said}\n\nBye.`);
  expect(found.findings).toEqual(finding ? [finding] : []);
  expect(found.rest).toContain('Summary.');
  expect(found.rest).toContain('Bye.');
  if (finding) expect(findingsIn(findingText(finding)).findings).toEqual([finding]);
  else expect(found.rest).toContain(said);
});

const at = (line: number, body: string, path = 'docs/b.md') => ({ path, line, body });

test('places findings on lines that the diff shows, one comment per line', () => {
  const all = [at(4, 'a'), at(5, 'b'), at(5, 'c'), at(5, 'b'), at(8, 'd'), at(5, 'e', 'docs/a.md')];
  const { placed, others } = placedFindings(all, DIFF);
  const place = { path: 'docs/b.md', oldPath: 'docs/a.md' };
  expect(placed).toEqual([
    { ...place, line: 4, oldLine: 4, body: 'a' },
    { ...place, line: 5, oldLine: null, body: 'b\n\nc' },
  ]);
  expect(others.map(({ body }) => body)).toEqual(['d', 'e']);
  expect(addedLines(DIFF)).toEqual([['docs/b.md', [5, 6]]]);
});

test.each(['__proto__', 'constructor', 'docs/__proto__'])('adds lines to a file with the name %s', (path) => {
  const diff = `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1,2 @@\n a\n+b\n`;
  expect(addedLines(diff)).toEqual([[path, [2]]]);
});
