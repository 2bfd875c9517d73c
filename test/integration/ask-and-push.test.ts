import { execFileSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { testWithDocent as test, type Installation } from '../support/installation.ts';
import { commitOnMain, diffOf, discard, eventsOf, postIn, publish, started } from '../support/previews.ts';

const SECTION = 'Append a section "Next" with text "Read on." to the page guides/start';
const path = { projectId: 'acme' };

async function allowPush(docent: Installation, allowPush: boolean): Promise<void> {
  const { error } = await docent.client.PATCH('/v1/projects/{projectId}', {
    params: { path },
    body: { settings: { allowPush } },
  });
  if (error) throw new Error(JSON.stringify(error));
}

/** The repository takes no push to its base branch. */
function protect(docent: Installation): void {
  const hook = `${docent.repository}/hooks/pre-receive`;
  writeFileSync(
    hook,
    '#!/bin/sh\nwhile read old new ref; do\n  if [ "$ref" = refs/heads/main ]; then echo "main is protected" >&2; exit 1; fi\ndone\n',
  );
  chmodSync(hook, 0o755);
}

describe('a job that asks', () => {
  test('is answered, changes nothing, and cannot be made to', async ({ docent }) => {
    await started(docent);
    const id = await postIn(docent, 'ask', 'What can you do?');
    expect(await docent.settled(id)).toMatchObject({
      status: 'completed',
      mode: 'ask',
      outcome: 'answered',
      prLink: null,
      pendingChanges: null,
      summary: expect.any(String),
    });
    // The built-in editor knows of no mode: it calls the tools that the job does not have.
    await docent.say(id, SECTION);
    expect(await docent.settled(id)).toMatchObject({ status: 'completed', outcome: 'refused', pendingChanges: null });
    expect(await eventsOf(docent, id)).toContain('1 of 1 calls were refused');
    expect((await diffOf(docent, id)).pending).toBeNull();
    expect(await docent.branches()).toEqual(['main']);
    expect((await publish(docent, id)).error).toMatchObject({ code: 'nothing_to_publish' });
    expect((await discard(docent, id)).error).toMatchObject({ code: 'nothing_to_publish' });
  });
});

describe('a job that pushes', () => {
  test('is refused where the project does not allow it', async ({ docent }) => {
    await docent.startApi();
    await docent.startWorker();
    await docent.createProject();
    const { error, response } = await docent.client.POST('/v2/agent/{projectId}/job', {
      params: { path },
      body: { prompt: SECTION, mode: 'push' },
    });
    expect(response.status).toBe(403);
    expect(error).toMatchObject({ code: 'push_not_allowed', error: expect.stringContaining('--allow-push') });
    // Nor after it was allowed, and then not any more.
    await allowPush(docent, true);
    const id = await postIn(docent, 'push', 'What can you do?');
    await docent.settled(id);
    await allowPush(docent, false);
    await docent.say(id, SECTION);
    expect(await docent.settled(id)).toMatchObject({ outcome: 'changed', prLink: expect.any(String) });
    expect(await docent.git('show', 'main:guides/start.mdx')).not.toContain('Next');
  });

  test('commits on top of the base branch, again and again, and over what others did', async ({ docent }) => {
    await started(docent);
    await allowPush(docent, true);
    const before = (await docent.git('rev-parse', 'main')).trim();
    const id = await postIn(docent, 'push', SECTION);
    expect(await docent.settled(id)).toMatchObject({
      status: 'completed',
      outcome: 'changed',
      prLink: null,
      source: { ref: 'main' },
      summary: expect.stringMatching(/Pushed commit [0-9a-f]{12} to main\.$/),
    });
    expect((await docent.git('rev-parse', 'main~1')).trim()).toBe(before);
    commitOnMain(docent, 'guides/log.mdx', '---\ntitle: Log\n---\n\nMore happened.\n');
    await docent.say(id, 'Replace "Install" with "Set up" in guides/start');
    expect(await docent.settled(id)).toMatchObject({ outcome: 'changed', prLink: null });
    const page = await docent.git('show', 'main:guides/start.mdx');
    expect(page).toContain('Set up Acme');
    expect(page).toContain('## Next');
    expect(await docent.git('show', 'main:guides/log.mdx')).toContain('More happened.');
    expect(await docent.branches()).toEqual(['main']);
    expect((await docent.git('rev-list', '--count', 'main')).trim()).toBe('4');
    const { turns } = await diffOf(docent, id);
    expect(turns.map(({ branch, files }) => [branch, files?.length])).toEqual([
      ['main', 1],
      ['main', 1],
    ]);
  });

  test('becomes a pull request where a hook refuses, says so, and stays with it while it is open', async ({
    docent,
  }) => {
    await started(docent);
    await allowPush(docent, true);
    protect(docent);
    const id = await postIn(docent, 'push', SECTION);
    const job = await docent.settled(id);
    expect(job).toMatchObject({
      status: 'completed',
      outcome: 'changed',
      prLink: expect.stringMatching(/\/pull-requests\//),
      source: { ref: `docent/${id}` },
      summary: expect.stringMatching(
        /The repository refused the push to main \(.*\): a pull request takes its place\.$/,
      ),
    });
    expect(await eventsOf(docent, id)).toContain('step: The repository refused the push to main');
    expect(await docent.git('show', 'main:guides/start.mdx')).not.toContain('Next');
    await docent.say(id, 'Replace "Install" with "Set up" in guides/start');
    expect(await docent.settled(id)).toMatchObject({ prLink: job.prLink });
    expect(await docent.commits(`docent/${id}`)).toHaveLength(2);
  });

  test('becomes a pull request where a work tree has the base branch checked out', async ({ docent }) => {
    await started(docent);
    const work = `${docent.folder}/checked-out`;
    execFileSync('git', ['clone', '-q', docent.repository, work]);
    const { error } = await docent.client.POST('/v1/projects', {
      body: { id: 'tree', repository: work, ref: 'main', settings: { allowPush: true } },
    });
    expect(error).toBeUndefined();
    const { data } = await docent.client.POST('/v2/agent/{projectId}/job', {
      params: { path: { projectId: 'tree' } },
      body: { prompt: SECTION, mode: 'push' },
    });
    const where = { params: { path: { projectId: 'tree', id: data!.id } } };
    for (;;) {
      const { data: job } = await docent.client.GET('/v2/agent/{projectId}/job/{id}', where);
      if (job?.status === 'active') continue;
      expect(job).toMatchObject({
        status: 'completed',
        prLink: expect.any(String),
        summary: expect.stringContaining('checked out'),
      });
      break;
    }
    expect(execFileSync('git', ['-C', work, 'status', '--porcelain']).toString()).toBe('');
  });
});

describe('while a process of an older version works on the database', () => {
  test('modes that it does not know are refused for now, and nothing is published', async ({ docent }) => {
    await started(docent);
    const id = await postIn(docent, 'preview', SECTION);
    await docent.settled(id);
    await docent.database.pool.query(
      `INSERT INTO processes (id, name, version, level, host, pid) VALUES ('old', 'docent worker', '0.1.0', 1, 'h', 1)`,
    );
    const { response, error } = await docent.client.POST('/v2/agent/{projectId}/job', {
      params: { path },
      body: { prompt: SECTION, mode: 'preview' },
    });
    expect([response.status, error?.code]).toEqual([503, 'unavailable']);
    expect(response.headers.get('retry-after')).toBe('30');
    expect((await publish(docent, id)).error).toMatchObject({ code: 'unavailable' });
    expect((await docent.job(id)).pendingChanges).toMatchObject({ files: 1 });
    // The default needs nothing that it does not know.
    const usual = await postIn(docent, 'pull-request', SECTION);
    expect(await docent.settled(usual)).toMatchObject({ mode: 'pull-request', prLink: expect.any(String) });
    await docent.database.pool.query(`DELETE FROM processes WHERE id = 'old'`);
    expect((await publish(docent, id)).data).toMatchObject({ status: 'active' });
    await docent.settled(id);
  });
});
