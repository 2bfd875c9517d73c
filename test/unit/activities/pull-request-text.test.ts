import { expect, test } from 'vitest';
import { pullRequestText } from '../../../src/activities/publish/pull-request-text.ts';
import type { Review } from '../../../src/jobs/review.ts';
import type { StoredProblem } from '../../../src/store/jobs/changes-schema.ts';
import type { JobRow } from '../../../src/store/jobs/jobs.ts';

const job = { id: 'j1', title: 'Improve', options: {} } as JobRow;
const review = (of: Partial<Review> = {}): Review => ({ isChecked: true, problems: [], notes: [], secrets: [], ...of });

const HOSTILE = '@boss closes #1 ![x](https://evil.example/?d=1) <img src=x>';
const DANGEROUS = /@boss|closes #|!\[|<img/;

test('words of a model that say all in one line are tamed too', () => {
  const { title, body } = pullRequestText(job, [{ prompts: ['Improve'], closing: HOSTILE }], review());
  expect(title).not.toMatch(DANGEROUS);
  expect(body).not.toMatch(DANGEROUS);
});

test('prompts and what the checks found are tamed too: files, links and names of a repository are hostile', () => {
  const problem = { ...problemOn(1), path: 'a`\n@boss.md', message: `There is no page "${HOSTILE}\n/merge".` };
  const { body } = pullRequestText(job, [{ prompts: [HOSTILE], closing: 'Done' }], review({ problems: [problem] }));
  expect(body).not.toMatch(DANGEROUS);
  expect(body.split('\n').filter((line) => /merge|boss\.md/.test(line))).toHaveLength(1);
});

test.for([
  ['https://git.example/acme/docs/issues/1', 'Requested in <https://git.example/acme/docs/issues/1>'],
  ['https://git.example/> @boss <img src=x>', 'Requested in <https://git.example/%3E%20'],
  ['javascript:alert(1)', null],
  ['no address', null],
] as const)('links back to %s where it is an address of the web', ([url, shown]) => {
  const started = { ...job, options: { cause: { url, isOwnBranch: false } } };
  const { body } = pullRequestText(started, [{ prompts: ['Improve'], closing: 'Done' }], review());
  expect(shown === null ? !body.includes('Requested in') : body.includes(shown)).toBe(true);
  expect(body).not.toMatch(/<img/);
});

test('notes for the reviewer come first and whole, whatever the agent says and however much', () => {
  const note = { path: 'a.mdx', message: `names servers: ${'`evil.example`, '.repeat(60)}and 9 more` };
  const part = { prompts: [], closing: `Done\n\n\`\`\`\n${'x '.repeat(5_000)}` };
  const { body } = pullRequestText(
    job,
    Array.from({ length: 5 }, () => part),
    review({ notes: Array.from({ length: 5 }, () => note) }),
  );
  const lines = body.slice(0, body.indexOf('###')).trim().split('\n');
  expect(lines[0]).toBe('Please review:');
  expect(lines.slice(2)).toEqual(Array.from({ length: 5 }, () => `- \`a.mdx\` ${note.message}.`));
});

test('counts the rest of very many notes', () => {
  const notes = Array.from({ length: 100 }, (_, i) => ({ path: `${'p'.repeat(300)}${i}.md`, message: 'is code' }));
  const { body } = pullRequestText(job, [{ prompts: [], closing: 'Done' }], review({ notes }));
  expect(body).toContain('- and 40 more notes');
  expect(body.length).toBeLessThan(60_000);
});

const problemOn = (n: number): StoredProblem => ({
  severity: 'error',
  code: 'missing-page',
  path: `p${n}.md`,
  line: n,
  message: 'The link "/gide" is broken: its target does not exist.',
  cause: 'gide',
  suggestion: '/guide',
});

const linesFor = (problems: StoredProblem[], publicUrl?: string) => {
  const { body } = pullRequestText(job, [{ prompts: [], closing: 'Done' }], review({ problems }), { publicUrl });
  return body.split('\n').filter((text) => text.startsWith('- `p'));
};

test('a problem has its place, what was probably meant, where else it is, and the way to its rule', () => {
  expect(linesFor([problemOn(1), problemOn(2)])).toEqual([
    '- `p1.md:1`: The link "/gide" is broken: its target does not exist. Best match: "/guide".',
    '- `p2.md:2`: The link "/gide" is broken: its target does not exist. Best match: "/guide".',
  ]);
  expect(linesFor([1, 2, 3, 4, 5].map(problemOn), 'https://docent.acme.dev')).toEqual([
    '- `p1.md:1`: The link "/gide" is broken: its target does not exist. Best match: "/guide". The same problem in 4 more places: `p2.md:2`, `p3.md:3`, `p4.md:4`, `p5.md:5`. [missing-page](https://docent.acme.dev/docs/reference/check-rules#missing-page)',
  ]);
  expect(linesFor([{ ...problemOn(1), code: 'x](https://evil.example)' }], 'https://docent.acme.dev')[0]).not.toContain(
    'evil',
  );
});

const saysClean = (of: Partial<Review>) =>
  pullRequestText(job, [{ prompts: [], closing: 'Done' }], review(of)).body.includes('found no problems');

test('reports no problems only for a change that was checked and has no error', () => {
  expect(saysClean({})).toBe(true);
  expect(saysClean({ problems: [{ ...problemOn(1), severity: 'warning' }] })).toBe(true);
  expect(saysClean({ problems: [problemOn(1)] })).toBe(false);
  expect(saysClean({ isChecked: false })).toBe(false);
});

test('citations link to their lines if the source has a page for them', () => {
  const cited = { page: 'a.md', line: 3, claim: `It ends. ${HOSTILE}`, source: 'server', path: 'src/a.ts' };
  const at = { ...cited, commit: '4f2a91c07d3e8b65', fromLine: 3, toLine: 4 };
  const { body } = pullRequestText(job, [{ prompts: [], closing: 'Done' }], review(), {
    citations: [
      { ...at, url: 'https://git.example/acme/server/blob/4f2a/src/a.ts#L3-L4' },
      { ...at, url: null },
    ],
    claimsWithoutSource: 1,
  });
  expect(body).toContain(
    '← [`server:src/a.ts#L3-L4`](https://git.example/acme/server/blob/4f2a/src/a.ts#L3-L4) at 4f2a',
  );
  expect(body).toContain('← `server:src/a.ts#L3-L4` at 4f2a');
  expect(body).toContain('1 claim without a source.');
  expect(body).not.toMatch(DANGEROUS);
});
