import { expect, test } from 'vitest';
import { pullRequestText } from '../../../src/activities/publish/pull-request-text.ts';
import type { JobRow } from '../../../src/store/jobs.ts';
import type { TurnRow } from '../../../src/store/turn-fence.ts';

const job = { id: 'j1', title: 'Improve' } as JobRow;
const turn = (problems: Record<string, unknown>[] = []) => ({ no: 1, problems }) as unknown as TurnRow;

const HOSTILE = '@boss closes #1 ![x](https://evil.example/?d=1) <img src=x>';
const DANGEROUS = /@boss|closes #|!\[|<img/;

test('words of a model that say all in one line are tamed too', () => {
  const { title, body } = pullRequestText(job, [{ turn: turn(), prompts: ['Improve'], closing: HOSTILE }]);
  expect(title).not.toMatch(DANGEROUS);
  expect(body).not.toMatch(DANGEROUS);
});

test('prompts and what the checks found are tamed too: files, links and names of a repository are hostile', () => {
  const problem = { path: 'a`\n@boss.md', message: `There is no page "${HOSTILE}\n/merge".` };
  const { body } = pullRequestText(job, [{ turn: turn([problem]), prompts: [HOSTILE], closing: 'Done' }]);
  expect(body).not.toMatch(DANGEROUS);
  expect(body.split('\n').filter((line) => /merge|boss\.md/.test(line))).toHaveLength(1);
});
