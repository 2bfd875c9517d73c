import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { estimateTokens } from '@docent/models/cost';
import { Installation } from '../support/installation.ts';
import { TEST_KEY } from '../support/models.ts';
import { ScriptedModels, type Move } from '../support/scripted-models.ts';

/** Whole jobs of a model with a small window, each of whose requests is read. */
const WINDOW = 16_000;
const PAGES = 10;
const models = new ScriptedModels();
let docent: Installation;

const lines = (page: number) =>
  Array.from({ length: 60 }, (_, i) => `Page ${page} says in its line ${i} how a sprocket is set up on this system.`);

beforeAll(async () => {
  const url = await models.mock.start();
  const pages = Array.from({ length: PAGES }, (_, i) => [
    `guides/p${i}.md`,
    `# Page ${i}\n\n${lines(i).join('\n\n')}\n`,
  ]);
  docent = await Installation.create({ files: { 'index.md': '# Start\n', ...Object.fromEntries(pages) } });
  const file = path.join(docent.folder, 'models.json');
  const price = { input: 1, output: 1 };
  writeFileSync(file, JSON.stringify({ 'openai-compatible/small': { contextTokens: WINDOW, price } }));
  await docent.startApi();
  await docent.startWorker({
    OPENAI_COMPATIBLE_API_KEY: TEST_KEY,
    OPENAI_COMPATIBLE_BASE_URL: `${url}/v1`,
    DOCENT_MODELS_FILE: file,
  });
  await docent.createProject();
  const params = { path: { projectId: docent.projectId } };
  await docent.client.PATCH('/v1/projects/{projectId}', { params, body: { model: 'openai-compatible/small' } });
});
afterAll(async () => {
  await docent.stop();
  await models.mock.stop();
});

/** The model's requests. */
function requests(word: string): string[] {
  return models.mock
    .getRequests()
    .map(({ body }) => JSON.stringify(body))
    .filter((body) => body.includes(word));
}

async function marks(jobId: string): Promise<number> {
  const { rows } = await docent.database.pool.query("SELECT 1 FROM transcript WHERE job_id = $1 AND part = 'compact'", [
    jobId,
  ]);
  return rows.length;
}

const read = (i: number, say: string): Move => ({ say, calls: [['read', { path: `guides/p${i}.md` }]] });
const edit: Move = {
  say: 'Page 3 alone is wrong.',
  calls: [['edit', { path: 'guides/p3.md', oldText: '# Page 3', newText: '# The third page' }]],
};
const found = (word: string, i: number) =>
  `FOUND-${word}${i}: page ${i} needs ${i === 3 ? 'another title' : 'nothing'}.`;
const pages = Array.from({ length: PAGES }, (_, i) => i);

describe('a conversation that outgrows the window repeatedly', () => {
  test('continues: pages are read again, the dialog stays, and every request fits', async () => {
    const word = 'Word-again.';
    models.play(
      word,
      ...pages.map((i) => read(i, found('a', i))),
      ...pages.map((i) => read(i, i < 5 ? '' : found('b', i))),
      edit,
      { say: 'Give the third page its title' },
    );
    const job = await docent.settled(await docent.post(`Which titles are wrong? ${word}`));
    expect(job).toMatchObject({ status: 'completed', error: null });
    expect(await docent.git('show', `docent/${job.id}:guides/p3.md`)).toMatch(/^# The third page/);
    expect(await marks(job.id)).toBeGreaterThanOrEqual(3);
    const sent = requests(word);
    for (const [n, body] of sent.entries()) {
      expect(estimateTokens(body.length)).toBeLessThan(WINDOW);
      for (const i of pages) if (i < n) expect(body).toContain(found('a', i));
    }
    expect(sent.at(-1)).toContain(found('b', 9));
  });

  test('ends when the agent only reads the same again, with its account of the findings', async () => {
    const word = 'Word-circle.';
    models.play(
      word,
      ...pages.map((i) => read(i, found('c', i))),
      ...pages.map((i) => read(i, '')),
      ...pages.map((i) => read(i, '')),
      {
        say: 'I could not decide.',
      },
    );
    const job = await docent.settled(await docent.post(`Which titles are wrong? ${word}`));
    expect(job).toMatchObject({ status: 'failed', prLink: null, error: { code: 'limit_no_progress' } });
    expect(models.asked(word)).toBeLessThan(30);
    expect(requests(word).some((body) => body.includes('make the changes page by page'))).toBe(true);
    expect(requests(word).at(-1)).toContain(found('c', 3));
    expect(job.summary).not.toBe('');
  });
});

test('searches without results end a turn, and earlier changes are published', async () => {
  const word = 'Word-fruitless.';
  const searches = Array.from({ length: 30 }, (_, i): Move => ({
    say: '',
    calls: [['search', { query: `gear ${i}` }]],
  }));
  models.play(word, edit, ...searches);
  const job = await docent.settled(await docent.post(`Say gear, not sprocket. ${word}`));
  expect(job).toMatchObject({ status: 'failed', error: { code: 'limit_no_progress' } });
  expect(job.error!.message).toContain('Its changes so far are in the pull request.');
  expect(job.prLink).not.toBeNull();
  expect(models.asked(word)).toBe(18);
});

test('problems of the docs checks are reported once to an agent that explains why they must stay', async () => {
  const word = 'Word-stays.';
  const link: Move = {
    say: '',
    calls: [['edit', { path: 'guides/p4.md', oldText: '# Page 4', newText: '# Page 4\n\n[soon](./soon.md)' }]],
  };
  models.play(word, link, { say: 'Link to a page to come' }, { say: 'The page soon.md comes with the next release.' });
  const job = await docent.settled(await docent.post(`Link to soon.md, which comes later. ${word}`));
  expect(job).toMatchObject({ status: 'completed', summary: 'The page soon.md comes with the next release.' });
  expect(models.asked(word)).toBe(3);
});
