import { readDiff } from '@docent/client';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffView } from '@docent/pages/diff-view';
import { anyCharacter } from '../../support/any-character.ts';

const DIFF = `diff --git a/docs/old name.mdx b/docs/new name.mdx
similarity index 90%
rename from docs/old name.mdx
rename to docs/new name.mdx
index 111..222 100644
--- a/docs/old name.mdx\t
+++ b/docs/new name.mdx\t
@@ -1,3 +1,4 @@ heading
 one
--- two
+++ two
+three

\\ No newline at end of file
diff --git "a/\\303\\244 \\"q\\".md" "b/\\303\\244 \\"q\\".md"
index 1..2 100644
--- "a/\\303\\244 \\"q\\".md"
+++ "b/\\303\\244 \\"q\\".md"
@@ -1,2 +1,2 @@
--- a/not-a-file
+See the new guide.
-See the old guide.
 same
diff --git a/new.mdx b/new.mdx
new file mode 100644
index 000..333
--- /dev/null
+++ b/new.mdx
@@ -0,0 +1 @@
+x
diff --git a/gone.mdx b/gone.mdx
deleted file mode 100644
index 444..000
--- a/gone.mdx
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git a/logo.png b/logo.png
index 1..2 100644
Binary files a/logo.png and b/logo.png differ
a line nobody knows
`;

const changeOf = ({ path, oldPath, status, additions, deletions, binary }: ReturnType<typeof readDiff>['files'][0]) => [
  path,
  oldPath,
  status,
  additions,
  deletions,
  binary,
];

test('reads files with their names, states and counted lines', () => {
  const { files, isCut } = readDiff(DIFF);
  expect(files.map(changeOf)).toEqual([
    ['docs/new name.mdx', 'docs/old name.mdx', 'renamed', 2, 1, false],
    ['ä "q".md', null, 'modified', 1, 2, false],
    ['new.mdx', null, 'added', 1, 0, false],
    ['gone.mdx', null, 'deleted', 0, 1, false],
    ['logo.png', null, 'modified', 0, 0, true],
  ]);
  expect(files[0]?.hunks[0]?.lines).toEqual([
    { kind: 'same', text: 'one', old: 1, now: 1 },
    { kind: 'del', text: '-- two', old: 2, now: null },
    { kind: 'add', text: '++ two', old: null, now: 2 },
    { kind: 'add', text: 'three', old: null, now: 3 },
    { kind: 'same', text: '', old: 3, now: 4 },
    { kind: 'note', text: 'No newline at end of file', old: null, now: null },
  ]);
  expect(files[1]?.hunks[0]?.lines.map(({ kind }) => kind)).toEqual(['del', 'add', 'del', 'same']);
  expect(files[4]?.notes).toEqual(['a line nobody knows']);
  expect(isCut).toBe(true);
  expect(readDiff('')).toEqual({ files: [], notes: [], isCut: false });
});

const changed = (path: string, mode: string, ids: string, sides: string) =>
  `diff --git a/${path} b/${path}\n${mode} file mode 100644\nindex ${ids}\n${sides}\n`;
const linesOf = (hunk: string) =>
  readDiff(`diff --git a/a b/a\n@@ -1,2 +1,2 @@\n${hunk}\n`).files[0]?.hunks[0]?.lines.map(({ text }) => text);
const header = (name: string) => `diff --git a/${name} b/${name}\nindex 1..2 100644\n--- a/${name}\n+++ b/${name}\n`;

test('joins a text that was renamed without changes', () => {
  const deleted = changed('a.md', 'deleted', 'abc..000', '--- a/a.md\n+++ /dev/null\n@@ -1 +0,0 @@\n-x');
  const added = changed('b.md', 'new', '000..abc', '--- /dev/null\n+++ b/b.md\n@@ -0,0 +1 @@\n+x');
  const { files } = readDiff(deleted + added);
  expect(files.map(changeOf)).toEqual([['b.md', 'a.md', 'renamed', 0, 0, false]]);
  expect(files[0]?.hunks).toEqual([]);
});

test('hides carriage returns that every line of a hunk has, and shows a changed one', () => {
  expect(linesOf(' a\r\n-b\r\n+c\r')).toEqual(['a', 'b', 'c']);
  expect(linesOf(' a\n-b\r\n+b')).toEqual(['a', 'b\r', 'b']);
});

test('reports what was cut, beside its file or at the end', () => {
  const { files, notes, isCut } = readDiff(
    `${header('a')}... 2 changed parts, too long to show\n${header('b')}@@ -1 +1 @@\n-x\n+y\n... the diff is cut here: 3 more changed files\n`,
  );
  expect(files.map((file) => file.notes)).toEqual([['2 changed parts, too long to show'], []]);
  expect(notes).toEqual(['the diff is cut here: 3 more changed files']);
  expect(isCut).toBe(true);
});

test('reads any text without an error, and the page of it has no markup of its own', () => {
  const lines = fc.constantFrom(
    'diff --git a/x b/x',
    'diff --git ',
    '@@ -1 +1 @@',
    '@@ -1,9 +1,9 @@',
    '@@',
    '+',
    '-',
    ' ',
    '',
    '\\ x',
    '--- a/x',
    '+++ /dev/null',
    'rename to ',
    '<b>',
    '... ',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(lines, fc.string({ unit: anyCharacter }))), (parts) => {
      const { files } = readDiff(parts.join('\n'));
      expect(diffView(files).text).not.toContain('<b>');
    }),
  );
});

test('shows a part of a diff of very many lines, and reports the rest', () => {
  const body = '+x\n'.repeat(30_000);
  const { files } = readDiff(`diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -0,0 +1,30000 @@\n${body}`);
  expect(files[0]?.additions).toBe(30_000);
  const view = diffView(files).text;
  expect(view).toContain('25000 more lines are not shown here.');
  expect(view.match(/<tr class="add">/g)).toHaveLength(5_000);
  expect(view).not.toContain(' open>');
});
