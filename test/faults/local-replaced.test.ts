import { rm, rename } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Installation, trapAt, type Trap } from '../support/installation.ts';
import { until } from '../support/patience.ts';
import { makeRepository } from '../support/repository.ts';

const SECTION = 'Append a section "Next" with text "Read on." to the page guides/start';
const OTHER_SITE = {
  'docs.json': `${JSON.stringify({ name: 'Other', navigation: { groups: [{ group: 'Guides', pages: ['guides/start'] }] } })}\n`,
  'guides/start.mdx': '---\ntitle: Other\n---\n\nAnother repository.\n',
};

/** Replaces the project's repository with another one without common history. */
async function replace(docent: Installation): Promise<void> {
  const another = path.join(docent.folder, 'another.git');
  await makeRepository(another, OTHER_SITE);
  await rm(docent.repository, { recursive: true });
  await rename(another, docent.repository);
}

let installation: Installation;
/** Of the first worker. */
let trap: Trap;
beforeAll(async () => {
  installation = await Installation.create();
  trap = trapAt(installation, 'tools-recorded');
  await Promise.all([installation.startApi(), installation.startWorker({ DOCENT_TEST_FAULT: trap.spec })]);
});
afterAll(() => installation.stop());

describe('another repository at the path of a project', { timeout: 400_000 }, () => {
  test('is used from the next turn on, even by older jobs, which start again from its base branch', async () => {
    const docent = await installation.withOwnProject();
    const id = await docent.post(SECTION);
    expect(await docent.settled(id)).toMatchObject({ status: 'completed' });
    await replace(docent);
    const next = await docent.post(SECTION);
    expect(await docent.settled(next)).toMatchObject({ status: 'completed', error: null });
    await docent.say(id, SECTION);
    expect(await docent.settled(id)).toMatchObject({ status: 'completed', error: null });
    expect(await docent.branches()).toEqual([`docent/${id}-2`, `docent/${next}`, 'main'].toSorted());
    expect(await docent.git('show', `docent/${id}-2:guides/start.mdx`)).toContain('Another repository.');
  });

  test('gets nothing from a turn that began on the first one', async () => {
    const docent = await installation.withOwnProject();
    trap.arm();
    const id = await docent.post(SECTION);
    await until('the worker died', () => trap.reached());
    await replace(docent);
    await installation.startWorker();
    const failed = await docent.settled(id, 150_000);
    expect(failed).toMatchObject({ status: 'failed', error: { code: 'push_refused' } });
    expect(await docent.branches()).toEqual(['main']);
    await docent.say(id, SECTION);
    expect(await docent.settled(id)).toMatchObject({ status: 'completed', error: null });
    expect(await docent.branches()).toEqual([`docent/${id}`, 'main']);
  });
});
