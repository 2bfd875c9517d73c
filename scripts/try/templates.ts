import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import type { components } from '../../packages/client/src/index.ts';
import { AUTOMATION_TEMPLATES, type AutomationTemplateName } from '../../packages/recipes/src/automation-templates.ts';
import { withoutContext } from '../../packages/recipes/src/prompt-context.ts';
import type { ScriptedModels } from '../../test/support/scripted-models.ts';
import type { BenchStack } from '../bench/bench-stack.ts';
import { obey, type Bait } from './obeying-templates.ts';

type Run = components['schemas']['AutomationRun'];

/** The commits that the code has more after the automation began to watch. */
const COMMITS = 20;
const PLANTED = 5;
const ORIGIN = 'https://docs.example.com';
const READERS = 5;
/** Automations begin to watch and to count within seconds. */
const SETTLE_MS = 12_000;
const DEADLINE_MS = 180_000;
/** A prompt, its material, and what surrounds them. */
const MAX_MESSAGE = 32_768 + 16_000 + 1_000;
const WEEK_MS = 7 * 86_400_000;
const PROSE = /^[A-Z][^<>`{}[\]()|*_#\n]{40,}$/m;

const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=A Person', '-c', 'user.email=person@example.org', ...args], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  }).trim();

/** What became of a template on a repository. */
export interface TriedTemplate {
  template: AutomationTemplateName;
  text: string;
  problems: string[];
}

/**
 * Runs each template with its own trigger on a copy of a repository: its model obeys the prompt on a few
 * pages. Then again, where the model finds nothing to do.
 */
export async function tryTemplates(stack: BenchStack, models: ScriptedModels, given: string): Promise<TriedTemplate[]> {
  const id = path
    .basename(path.resolve(given).replace(/\/repo$/, ''))
    .replace(/\W+/g, '-')
    .toLowerCase();
  const work = path.join(stack.folder, `${id}-work`);
  git(stack.folder, 'clone', '-q', '--depth', String(COMMITS + 1), `file://${path.resolve(given)}`, work);
  const ref = git(work, 'branch', '--show-current');
  const tip = git(work, 'rev-parse', 'HEAD');
  const bait = plant(work);
  const bare = (name: string) => {
    const to = path.join(stack.folder, `${id}-${name}.git`);
    git(stack.folder, 'clone', '-q', '--bare', work, to);
    return to;
  };
  const [docs, code] = [bare('docs'), bare('code')];
  const first = git(code, 'rev-list', '--first-parent', '--max-parents=1', tip).split('\n').at(-1)!;
  git(code, 'update-ref', `refs/heads/${ref}`, first);
  const project = { params: { path: { projectId: id } } };
  const { client } = stack;
  const settings = { analyticsOrigins: [ORIGIN] };
  const body = { id, repository: docs, ref, model: 'openai-compatible/any', settings };
  ok(await client.POST('/v1/projects', { body }));
  ok(
    await client.POST('/v1/projects/{projectId}/sources', {
      ...project,
      body: { name: 'code', repository: code, ref },
    }),
  );
  const names = Object.keys(AUTOMATION_TEMPLATES).filter(
    (name) => name !== 'stale-citations',
  ) as AutomationTemplateName[];
  for (const template of names) {
    const { trigger, ...words } = AUTOMATION_TEMPLATES[template];
    const instructions = wordOf(id, template);
    play(models, instructions, template, bait);
    const own = trigger.type === 'schedule' ? { ...trigger, timezone: 'UTC' } : trigger;
    ok(
      await client.POST('/v1/projects/{projectId}/automations', {
        ...project,
        body: { ...words, id: template, instructions, trigger: own } as never,
      }),
    );
  }
  await search(stack, id, bait.page);
  await sleep(SETTLE_MS);
  git(code, 'update-ref', `refs/heads/${ref}`, tip);
  await report(stack, id);
  const tried: TriedTemplate[] = [];
  for (const template of names) tried.push(await follow(stack, models, { id, template, docs, code, ref, first, tip }));
  return tried;
}

function ok<T>({ data, error }: { data?: T; error?: unknown }): T {
  if (error || data === undefined) throw new Error(JSON.stringify(error));
  return data;
}

const wordOf = (id: string, template: string) => `Word-${id}-${template}.`;

/** Doubles a word on some pages, removes a translation, and finds what else the models work on. */
function plant(work: string): Bait {
  const files = git(work, 'ls-files', '-z').split('\0');
  const pages = files.filter((file) => /\.mdx?$/.test(file) && !/(^|\/)(README|CHANGELOG|\.)/i.test(file));
  let planted = 0;
  for (const page of pages) {
    const file = path.join(work, page);
    const text = readFileSync(file, 'utf8');
    const doubled = text.replace(/^([A-Z][a-z ,]+) the (?=[a-z])/m, '$1 the the ');
    if (doubled === text || planted === PLANTED) continue;
    writeFileSync(file, doubled);
    planted += 1;
  }
  const translation = translationIn(files);
  if (translation) rmSync(path.join(work, translation.missing));
  git(work, 'commit', '-q', '-a', '--allow-empty', '-m', 'Double some words, and remove a translation');
  const found = pages.flatMap((page) => {
    if (page === translation?.missing) return [];
    const prose = PROSE.exec(readFileSync(path.join(work, page), 'utf8'))?.[0];
    return prose === undefined ? [] : [{ page, prose }];
  });
  const changelog = files.find((file) => /(^|\/)(changelog|changes)\.mdx?$/i.test(file)) ?? null;
  // Other pages may lie outside of the docs folder.
  const own = found.find(({ page }) => /(^|\/)(docs|content)\//.test(page)) ?? found[0];
  if (!own) throw new Error('No page has a line of prose.');
  return { ...own, changelog, translation };
}

/** A translation whose original is there: `x.fr.md` of `x.md`, or `fr/x.md` of `en/x.md`. */
function translationIn(files: readonly string[]): Bait['translation'] {
  const there = new Set(files);
  for (const missing of files) {
    const original = [
      missing.replace(/\.[a-z]{2}(?:-[A-Za-z]{2,4})?(\.mdx?)$/, '$1'),
      missing.replace(/(^|\/)[a-z]{2}(?:-[A-Za-z]{2,4})?(\/.*\.mdx?)$/, '$1en$2'),
      missing.replace(/(^|\/)[a-z]{2}(?:-[A-Za-z]{2,4})?\/(.*\.mdx?)$/, '$1$2'),
    ].find((one) => one !== missing && there.has(one));
    if (original !== undefined) return { original, missing };
  }
  return null;
}

function play(models: ScriptedModels, word: string, template: AutomationTemplateName, bait: Bait): void {
  models.answer(word, (messages) => {
    const asked = messages.findLastIndex(({ role }) => role === 'user');
    const isSecond = messages.slice(0, asked).some(({ role }) => role === 'assistant');
    if (isSecond) return { say: 'Nothing is left to do.\n\nOutcome: unchanged' };
    const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content));
    return obey(template, bait, results);
  });
}

/** As many readers as the template wants search for a page, and open nothing. */
async function search({ apiUrl }: BenchStack, id: string, page: string): Promise<void> {
  const query = path
    .basename(page)
    .replace(/\.mdx?$/, '')
    .replaceAll('-', ' ');
  for (let reader = 0; reader < READERS; reader++) {
    const agent = `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${120 + reader}.0.0.0 Safari/537.36`;
    const answer = await fetch(`${apiUrl}/${id}/search`, {
      method: 'POST',
      headers: { origin: ORIGIN, 'content-type': 'text/plain', 'user-agent': agent },
      body: JSON.stringify({ url: `${ORIGIN}/`, query }),
    });
    if (answer.status !== 202) throw new Error(`The search was answered with ${answer.status}: ${await answer.text()}`);
  }
}

/** Temporal reports the occurrences of the last week. */
async function report({ temporalAddress }: BenchStack, id: string): Promise<void> {
  const connection = await Connection.connect({ address: temporalAddress });
  try {
    const { schedule } = new Client({ connection });
    for await (const { scheduleId } of schedule.list()) {
      if (!scheduleId.includes(`-automation-${id}.`)) continue;
      await schedule
        .getHandle(scheduleId)
        .backfill({ start: new Date(Date.now() - WEEK_MS), end: new Date(), overlap: 'ALLOW_ALL' });
    }
  } finally {
    await connection.close();
  }
}

interface Followed {
  id: string;
  template: AutomationTemplateName;
  docs: string;
  code: string;
  ref: string;
  first: string;
  tip: string;
}

/** Waits for the first run, checks it, and starts a second one that has nothing to do. */
async function follow(stack: BenchStack, models: ScriptedModels, of: Followed): Promise<TriedTemplate> {
  const { id, template, docs, ref } = of;
  const problems: string[] = [];
  const at = { params: { path: { projectId: id, automationId: template } } };
  const ended = async (count: number): Promise<Run | null> => {
    for (let waited = 0; waited < DEADLINE_MS; waited += 1_000) {
      const { runs } = ok(await stack.client.GET('/v1/projects/{projectId}/automations/{automationId}/runs', at));
      const [newest] = runs;
      if (newest && runs.length >= count && !['queued', 'running'].includes(newest.status)) return newest;
      await sleep(1_000);
    }
    return null;
  };
  const run = await ended(1);
  if (!run) return { template, text: 'no run', problems: ['It has not ended.'] };
  const prompt = promptOf(models, wordOf(id, template));
  problems.push(...problemsOf(prompt, run, of));
  const changed =
    run.jobId && run.pullRequest ? git(docs, 'diff', '--name-only', ref, `docent/${run.jobId}`).split('\n') : [];
  if (run.status === 'review_needed' && changed.length === 0) problems.push('Its pull request changes nothing.');
  const summary = `${run.status}, ${changed.length} files, prompt ${prompt.length}${run.material ? `, material ${run.material.characters}${run.material.cut ? ' (cut)' : ''}, ${run.material.commits} commits, ${run.material.files} files` : ''}`;
  ok(await stack.client.POST('/v1/projects/{projectId}/automations/{automationId}/trigger', { ...at, body: {} }));
  const second = await ended(2);
  if (second?.status !== 'no_action') problems.push(`The second run is ${second?.status}: ${second?.summary}`);
  if (run.status !== 'review_needed' && run.status !== 'no_action') problems.push(`${run.status}: ${run.summary}`);
  return { template, text: `${summary}; then ${second?.status}`, problems };
}

/** The last message of the first request that names the word. */
function promptOf(models: ScriptedModels, word: string): string {
  for (const { body } of models.mock.getRequests()) {
    const { messages = [] } = body as { messages?: { role: string; content: unknown }[] };
    const asked = messages.findLast(({ role, content }) => role === 'user' && JSON.stringify(content).includes(word));
    if (asked) return typeof asked.content === 'string' ? asked.content : JSON.stringify(asked.content);
  }
  return '';
}

/** What is wrong with the prompt of a run: its limits, its variables, and what it says of the code. */
function problemsOf(prompt: string, { material, cause }: Run, { template, code, first, tip }: Followed): string[] {
  const problems: string[] = [];
  const wanted = AUTOMATION_TEMPLATES[template].trigger.type;
  if (cause.type !== wanted) problems.push(`It was started by ${cause.type}.`);
  if (prompt.length === 0 || prompt.length > MAX_MESSAGE) problems.push(`The prompt has ${prompt.length} characters.`);
  if (withoutContext(prompt).includes('{{')) problems.push('A variable is left.');
  if (material?.cut !== undefined && material.cut !== prompt.includes('[Docent left out a part of this material'))
    problems.push('The prompt does not say what is cut.');
  if (wanted !== 'code') return problems;
  const commits = git(code, 'rev-list', '--count', `${first}..${tip}`);
  const files = git(code, 'diff', '--name-only', '--no-renames', first, tip).split('\n').length;
  if (material?.commits !== Number(commits)) problems.push(`It has ${material?.commits} commits of ${commits}.`);
  if (material?.files !== files) problems.push(`It has ${material?.files} files of ${files}.`);
  return problems;
}
