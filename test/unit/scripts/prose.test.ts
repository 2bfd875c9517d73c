import { expect, test } from 'vitest';
import { readProse, sentencesOf } from '../../../scripts/prose/read-prose.ts';
import { readSource } from '../../../scripts/prose/read-source.ts';
import { FORBIDDEN } from '../../../scripts/prose/rules.ts';

const PAGE = `---
title: Ask somebody
---

## Start it

Run \`docent is told\` or [log in](/told). Then
wait.

\`\`\`bash
echo "nobody"
\`\`\`

{/* Generated from openapi.yaml. Do not edit. */}

| a | nobody |

{/* End of the generated table. */}

| Name | What **you** get |
|---|---|

<Step title="Sign in">
  Text.
</Step>
`;

test('reads the prose of a page: no code, no markup, no generated tables', () => {
  expect(readProse(PAGE)).toEqual([
    { line: 2, text: 'Ask somebody' },
    { line: 5, text: 'Start it' },
    { line: 7, text: 'Run code or log in. Then wait.' },
    { line: 20, text: 'Name', isCell: true },
    { line: 20, text: 'What you get', isCell: true },
    { line: 23, text: 'Sign in' },
    { line: 24, text: 'Text.' },
  ]);
});

test('splits sentences, but not at abbreviations, and leaves out labels', () => {
  expect(sentencesOf('Use a file, e.g. README. Then go. A label')).toEqual(['Use a file, e.g. README.', 'Then go.']);
});

test.each(['The agent is told so.', 'Ask nobody.', 'It comes by itself.', 'The one who wrote it, which is old.'])(
  'finds what the style guide replaces: %s',
  (text) => {
    expect(FORBIDDEN.some(({ pattern }) => pattern.test(text))).toBe(true);
  },
);

test('reads help, errors and logs of a source file, and no other text', () => {
  const source = [
    "throw new AppError('code', 'Nobody is told.');",
    "log.warn({ job }, `the job ${id} waits` + ' for ever');",
    "new Command('x').option('--model <id>', 'model to use');",
    "const query = 'SELECT somebody FROM people';",
  ].join('\n');
  expect(readSource('x.ts', source)).toEqual([
    { line: 1, text: 'Nobody is told.' },
    { line: 2, text: 'the job X waits for ever' },
    { line: 3, text: 'model to use' },
  ]);
});
