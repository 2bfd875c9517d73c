import { afterAll, beforeAll, expect, test } from 'vitest';
import { git, gitWithInput } from '../support/git-fixture.ts';
import { Installation } from '../support/installation.ts';

let docent: Installation;

beforeAll(async () => {
  docent = await Installation.started({
    files: {
      'AGENTS.md': 'Say it plainly.\n',
      'glossary.md': '# Terms\n',
      'guides/start.mdx': '---\ntitle: Start\n---\n\nInstall Acme, then run it.\n',
      'STYLEGUIDE.md': '# Acme docs style guide\n\nNo jokes at all.\n',
    },
  });
});
afterAll(() => docent.stop());

const path = () => ({ projectId: docent.projectId });
const told = async () => {
  const { data, error } = await docent.client.GET('/v1/projects/{projectId}/instructions', {
    params: { path: path() },
  });
  if (!data) throw new Error(JSON.stringify(error));
  return data;
};
const set = (settings: { styleGuides?: string[] | null; instructionFiles?: string[] | null }) =>
  docent.client.PATCH('/v1/projects/{projectId}', { params: { path: path() }, body: { settings } });

test("a project lists the agent's instructions on the base branch, and why they apply", async () => {
  const { ref, commit, includedCharacters, files } = await told();
  expect([ref, commit]).toEqual(['main', (await docent.git('rev-parse', 'main')).trim()]);
  expect(files).toMatchObject([
    { path: 'AGENTS.md', role: 'instructions', characters: 15, includedCharacters: 15, missing: false },
    { path: 'STYLEGUIDE.md', role: 'styleGuide', why: 'a style guide of docs by its name and title' },
  ]);
  expect(includedCharacters).toBe(files.reduce((sum, file) => sum + file.includedCharacters, 0));
});

test('a setting names other files; a missing one is refused by name, and nothing changes', async () => {
  expect((await set({ styleGuides: ['glossary.md'] })).response.status).toBe(200);
  expect((await told()).files.map((file) => [file.path, file.why])).toEqual([
    ['AGENTS.md', 'AGENTS.md of the whole repository'],
    ['glossary.md', 'named by the project’s settings'],
  ]);
  const refused = await set({ styleGuides: ['glossary.md', 'tone.md'] });
  expect(refused.response.status).toBe(400);
  expect(refused.error).toMatchObject({
    code: 'repository_refused',
    error: '`settings.styleGuides`: tone.md cannot be used from the branch main: not in the repository.',
  });
  expect((await told()).files.map((file) => file.path)).toEqual(['AGENTS.md', 'glossary.md']);
});

test('a named file that is deleted later is reported in the list, the events and the result of a job', async () => {
  await set({ styleGuides: ['glossary.md'] });
  const kept = (await docent.git('ls-tree', 'main')).replace(/.*\tglossary\.md\n/, '');
  const tree = gitWithInput(docent.repository, kept, 'mktree').trim();
  const commit = git(docent.repository, 'commit-tree', tree, '-p', 'main', '-m', 'Remove it').trim();
  await docent.git('update-ref', 'refs/heads/main', commit);
  expect((await told()).files).toContainEqual(
    expect.objectContaining({ path: 'glossary.md', missing: true, why: 'not in the repository', characters: null }),
  );
  const id = await docent.post('Append a section "Next" with text "Read on." to the page guides/start');
  const job = await docent.settled(id);
  const sentence =
    'The project’s setting `styleGuides` names glossary.md, which the agent cannot get: not in the repository.';
  expect(job).toMatchObject({ status: 'completed', summary: expect.stringContaining(sentence) });
  const { data } = await docent.client.GET('/v2/agent/{projectId}/job/{id}/events', {
    params: { path: { ...path(), id } },
  });
  expect(data?.events.map(({ text }) => text)).toContain(sentence);
  expect((await set({ styleGuides: null })).response.status).toBe(200);
});
