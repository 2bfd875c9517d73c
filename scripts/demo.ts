/**
 * The main job, through the generated client: a prompt becomes a pull request, and a follow-up message
 * becomes its second commit. Then a generated month of traffic is sent and its visitors are printed. Uses the
 * running Docent of the home (DOCENT_HOME, else that of `npm start`); if none runs, starts one and stops it
 * again. Exits with 0 only if all of it really happened.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDocentClient, type Job } from '@docent/client';
import { answerOf } from '@docent/base/terminal/api-answer';
import { messageOf } from '@docent/base/thrown';
import { followJob, getJob, type Asked } from '@docent/cli/job-progress';
import { showProgress } from '@docent/cli/live-progress';
import { bold, coloredDiff, dim } from '@docent/base/terminal/terminal-text';
import { defaultHome, readOperatorToken, readRunFile, type RunFile } from '../src/start/home.ts';
import { showTraffic } from './demo-traffic.ts';

const START_MS = 15 * 60_000; // The first start may have to build the Temporal server.
/** As `npm start` has built it. */
const CLI = path.join(import.meta.dirname, '..', 'dist', 'cli', 'main.js');
const home = path.resolve(process.env.DOCENT_HOME || defaultHome());

const say = (text: string) => void process.stdout.write(`${text}\n`);

let started: ChildProcess | undefined;
try {
  let run = await runningDocent();
  if (!run) {
    say(`Docent is not running in ${home}: starting it for the demo.`);
    started = startDocent();
    run = await untilRunning(started);
  }
  await demo(run);
} catch (err) {
  process.stderr.write(`The demo failed: ${messageOf(err)}\n`);
  process.exitCode = 1;
} finally {
  if (started) await stopDocent(started);
}

async function demo(run: RunFile): Promise<void> {
  const client = createDocentClient({ baseUrl: run.apiUrl, apiKey: readOperatorToken(home) ?? '' });
  const server = { client, url: run.apiUrl };
  const { projectId } = run;
  const project = await answerOf(
    run.apiUrl,
    client.GET('/v1/projects/{projectId}', { params: { path: { projectId } } }),
  );
  const page = `guides/demo-${Date.now().toString(36)}`;
  const first = `Add a page titled "Hello from the demo" at ${page} with the text "This page was written by a job."`;
  const second = `Replace "written" with "made" in ${page}.mdx`;

  say(`\n${bold('1. A prompt')}\n   ${first}\n`);
  const created = await answerOf(
    run.apiUrl,
    client.POST('/v2/agent/{projectId}/job', { params: { path: { projectId } }, body: { prompt: first } }),
  );
  const ref = { projectId, id: created.id };
  await showProgress(`Job ${ref.id}`, (onProgress) => followJob(server, ref, { onProgress }));
  const opened = completed(await getJob(server, ref));

  say(`\n${bold('2. A pull request')}\n   ${opened.prLink}\n`);
  say(coloredDiff(await wholeDiff(server, ref)));

  say(`${bold('3. A follow-up message')}\n   ${second}\n`);
  const after = await lastEventNo(server, ref);
  await answerOf(
    run.apiUrl,
    client.POST('/v2/agent/{projectId}/job/{id}/message', { params: { path: ref }, body: { prompt: second } }),
  );
  await showProgress(`Job ${ref.id}`, (onProgress) => followJob(server, ref, { after, onProgress }));
  const updated = completed(await getJob(server, ref));
  if (updated.prLink !== opened.prLink)
    throw new Error(`the second turn opened another pull request: ${updated.prLink}`);

  say(`\n${bold('4. The same pull request, with a second commit')}\n   ${updated.prLink}\n`);
  const range = `${project.ref}..${updated.source.ref}`;
  const changes = `${project.ref}...${updated.source.ref}`;
  const shown = (...args: string[]) => say(dim(`$ git -C ${project.repository} ${args.join(' ')}`));
  shown('log', '--oneline', range);
  say(git(project.repository, 'log', '--oneline', range));
  await check(server, ref, updated, git(project.repository, 'log', '--reverse', '--format=%H', range).split('\n'));
  say('');
  shown('diff', changes);
  say(`${coloredDiff(git(project.repository, 'diff', changes))}\n`);
  await showTraffic(server, projectId, say);
  say('All of it happened: one job, two turns, one pull request, two commits, and a month of readers counted.');
}

function completed(job: Job): Job & { prLink: string } {
  if (job.status !== 'completed') throw new Error(`the job is ${job.status}: ${job.error?.message ?? job.summary}`);
  if (job.prLink === null) throw new Error(`the job changed nothing: ${job.summary}`);
  return { ...job, prLink: job.prLink };
}

/** The API, git and the pull request's page must show the same two commits. */
async function check(
  server: Asked,
  ref: { projectId: string; id: string },
  job: Job,
  inGit: readonly string[],
): Promise<void> {
  const diff = await jobDiff(server, ref);
  const inApi = diff.turns.map(({ commit }) => commit);
  if (inGit.length !== 2 || inGit.join() !== inApi.join())
    throw new Error(`git has the commits ${inGit.join(', ')}, and the API says ${inApi.join(', ')}`);
  const answer = await fetch(job.prLink ?? '');
  const page = await answer.text();
  if (!answer.ok) throw new Error(`the pull request's page answers ${answer.status}`);
  for (const commit of inGit)
    if (!page.includes(commit.slice(0, 7)))
      throw new Error(`the pull request's page does not show the commit ${commit}`);
}

function jobDiff({ client, url }: Asked, ref: { projectId: string; id: string }) {
  return answerOf(url, client.GET('/v2/agent/{projectId}/job/{id}/diff', { params: { path: ref } }));
}

async function wholeDiff(server: Asked, ref: { projectId: string; id: string }): Promise<string> {
  return (await jobDiff(server, ref)).diff;
}

/** The first turn's events were already shown. */
async function lastEventNo({ client, url }: Asked, ref: { projectId: string; id: string }): Promise<number> {
  const params = { path: ref, query: { limit: 500 } };
  const { events } = await answerOf(url, client.GET('/v2/agent/{projectId}/job/{id}/events', { params }));
  return events.at(-1)?.no ?? 0;
}

function git(repository: string, ...args: string[]): string {
  return execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8' }).trim();
}

async function runningDocent(): Promise<RunFile | null> {
  const run = readRunFile(home);
  if (!run) return null;
  try {
    return (await fetch(`${run.apiUrl}/healthz`, { signal: AbortSignal.timeout(3_000) })).ok ? run : null;
  } catch {
    return null; // It was killed, and could not remove its file.
  }
}

function startDocent(): ChildProcess {
  // Its output is shown; on a terminal also the first API key, only this time.
  return spawn(process.execPath, [CLI, 'start', '--home', home], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, DOCENT_LOG_LEVEL: process.env.DOCENT_LOG_LEVEL ?? 'warn' },
  });
}

async function untilRunning(child: ChildProcess): Promise<RunFile> {
  const deadline = performance.now() + START_MS;
  while (performance.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error('`docent start` ended.');
    const run = readRunFile(home);
    if (run?.pid === child.pid) return run as RunFile;
    await sleep(100);
  }
  throw new Error('`docent start` did not get ready.');
}

async function stopDocent(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
