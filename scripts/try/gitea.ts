/**
 * Runs Docent against a real Gitea, and prints the results: conversations in issues and pull requests, with
 * Gitea's webhooks and by polling; and jobs through renames of their repository. DOCENT_TEST_GITEA is the
 * path of a Gitea binary with SQLite. Everything else is made in temporary folders, on loopback, and removed
 * again. Ends with 0 only if all went as it should.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { components } from '@docent/client';
import { messageOf } from '@docent/base/thrown';
import { RealGitea } from '../../test/support/real-gitea.ts';
import type { BenchStack } from '../bench/bench-stack.ts';
import { talkOn, withStack } from './gitea-stack.ts';
import type { Step } from './gitea-talk.ts';

type Job = components['schemas']['Job'];

const PROJECT = 'handbook';
const SETTLE_MS = 180_000;
const section = (title: string, page: string) => `Append a section "${title}" with text "Read on." to the page ${page}`;

const binary = process.env.DOCENT_TEST_GITEA;
if (binary) {
  process.exitCode = await tryGitea(binary);
} else {
  process.stderr.write(
    'Set DOCENT_TEST_GITEA to the path of a Gitea binary (1.22 or newer, with SQLite), such as one from https://dl.gitea.com/gitea/. ' +
      'For one that was built without `bindata`, DOCENT_TEST_GITEA_STATIC is its source tree.\n',
  );
  process.exitCode = 2;
}

async function tryGitea(path: string): Promise<number> {
  const gitea = await RealGitea.start(path, process.env.DOCENT_TEST_GITEA_STATIC);
  const started = performance.now();
  const tables: string[] = [];
  try {
    const [ada, eve] = [gitea.addPerson('ada'), gitea.addPerson('eve')];
    for (const way of ['webhook', 'polling'] as const) {
      const { step, rows } = steps();
      const said = await talkOn(gitea, { way, ada, eve, step });
      tables.push(tableOf(`A conversation, by ${way}`, rows), said, '');
    }
    const { step, rows } = steps();
    await withStack(gitea, {}, (stack) => walkThrough(gitea, stack, step));
    tables.push(tableOf('Renames', rows));
  } finally {
    await gitea.stop();
  }
  const seconds = Math.round((performance.now() - started) / 1_000);
  process.stdout.write([`Gitea ${gitea.version}, ${seconds} s`, '', ...tables, ''].join('\n'));
  return tables.some((table) => table.includes('| WRONG |')) ? 1 : 0;
}

type Row = [step: string, result: string, found: string];

function steps(): { step: Step; rows: Row[] } {
  const rows: Row[] = [];
  const step: Step = async (what, work) => {
    const outcome = await work().then(
      (found) => ['as it should', found] as const,
      (err: unknown) => ['WRONG', messageOf(err)] as const,
    );
    rows.push([what, ...outcome]);
    process.stderr.write(`${outcome[0] === 'WRONG' ? '✘' : '✔'} ${what}: ${outcome[1]}\n`);
  };
  return { step, rows };
}

function tableOf(title: string, rows: readonly Row[]): string {
  const lines = rows.map((row) => `| ${row.join(' | ')} |`);
  return [`## ${title}`, '', '| Step | Result | What came of it |', '| --- | --- | --- |', ...lines, ''].join('\n');
}

async function walkThrough(gitea: RealGitea, { client }: BenchStack, step: Step): Promise<void> {
  async function settled(id: string): Promise<Job> {
    const deadline = Date.now() + SETTLE_MS;
    for (;;) {
      const { data } = await client.GET('/v2/agent/{projectId}/job/{id}', {
        params: { path: { projectId: PROJECT, id } },
      });
      if (data && data.status !== 'active') return data;
      if (Date.now() > deadline) throw new Error(`The job ${id} is still active.`);
      await sleep(100);
    }
  }

  async function run(prompt: string): Promise<Job> {
    const { data, error } = await client.POST('/v2/agent/{projectId}/job', {
      params: { path: { projectId: PROJECT } },
      body: { prompt },
    });
    if (!data) throw new Error(`The job was refused: ${JSON.stringify(error)}`);
    return settled(data.id);
  }

  async function say(id: string, prompt: string): Promise<Job> {
    await client.POST('/v2/agent/{projectId}/job/{id}/message', {
      params: { path: { projectId: PROJECT, id } },
      body: { prompt },
    });
    return settled(id);
  }

  /** The job's pull request is open in this repository, and its branch is there. */
  async function expectIn(full: string, job: Job): Promise<string> {
    if (job.status !== 'completed') throw new Error(`${job.status}: ${job.error?.code} ${job.error?.message}`);
    if (!job.prLink?.startsWith(`${gitea.url}/${full}/pulls/`)) throw new Error(`Its pull request is ${job.prLink}.`);
    const branch = job.source.ref;
    if (branch === null || !(await gitea.branches(full)).includes(branch))
      throw new Error(`${full} has no branch ${branch}.`);
    const number = job.prLink.split('/').at(-1);
    const pulls = await gitea.pulls(full);
    if (!pulls.includes(`${number} open ${branch}`)) throw new Error(`${full} has: ${pulls.join(', ')}.`);
    return `pull request ${number} in ${full}`;
  }

  async function expectUntouched(full: string): Promise<void> {
    const branches = await gitea.branches(full);
    if (branches.join() !== 'main') throw new Error(`${full} has the branches ${branches.join(', ')}.`);
  }

  await gitea.addRepository('handbook');
  const repository = `${gitea.url}/acme/handbook`;
  const project = await client.POST('/v1/projects', { body: { id: PROJECT, repository, settings: { draft: false } } });
  if (!project.data) throw new Error(`The project was refused: ${JSON.stringify(project.error)}`);

  let first: Job | null = null;
  await step('A job', async () => {
    first = await run(section('Next', 'guides/start'));
    return expectIn('acme/handbook', first);
  });
  await step('A message to it', async () => {
    const job = await say(first?.id ?? '', 'Replace "Install" with "Set up" in guides/start');
    return expectIn('acme/handbook', job);
  });
  await step('A job after a rename to handbook-old', async () => {
    await gitea.rename('acme/handbook', 'handbook-old');
    return expectIn('acme/handbook-old', await run(section('Renamed', 'guides/log')));
  });
  await step('A job after a new handbook with the same history', async () => {
    await gitea.addRepository('handbook');
    const found = await expectIn('acme/handbook-old', await run(section('Twin', 'guides/log')));
    await expectUntouched('acme/handbook');
    return `${found}; acme/handbook untouched`;
  });
  await step('A message to the first job', async () => {
    const job = await say(first?.id ?? '', section('Later', 'guides/log'));
    const found = await expectIn('acme/handbook-old', job);
    await expectUntouched('acme/handbook');
    return found;
  });
  await step('A job after the new one is gone, and a rename back', async () => {
    await gitea.api('DELETE', '/repos/acme/handbook');
    await gitea.rename('acme/handbook-old', 'handbook');
    return expectIn('acme/handbook', await run(section('Back', 'index')));
  });
  await step('A job after a transfer to another organization', async () => {
    await gitea.api('POST', '/repos/acme/handbook/transfer', { new_owner: 'elsewhere' });
    return expectIn('elsewhere/handbook', await run(section('Moved', 'index')));
  });
  await step('A job after deletion, and a new one with the name', async () => {
    await gitea.api('DELETE', '/repos/elsewhere/handbook');
    const fresh = await gitea.addRepository('handbook');
    await gitea.api('POST', `/repos/${fresh.full_name}/transfer`, { new_owner: 'elsewhere' });
    const job = await run(section('Anew', 'index'));
    await expectUntouched('elsewhere/handbook');
    if (job.error?.code !== 'repository_replaced') throw new Error(`${job.status}: ${job.error?.code}`);
    return `refused: ${job.error.code}`;
  });
  await step('A job after `docent project update --repository`', async () => {
    const updated = await client.PATCH('/v1/projects/{projectId}', {
      params: { path: { projectId: PROJECT } },
      body: { repository: `${gitea.url}/elsewhere/handbook` },
    });
    if (!updated.data) throw new Error(`The update was refused: ${JSON.stringify(updated.error)}`);
    return expectIn('elsewhere/handbook', await run(section('Anew', 'index')));
  });
}
