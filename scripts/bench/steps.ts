import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection, type WorkflowHandle } from '@temporalio/client';
import { makeRepository } from '../../test/support/repository.ts';
import { median, ms, percentile, type BenchRow } from './bench-row.ts';
import { startBenchStack, type BenchStack } from './bench-stack.ts';
import { startModelServer, type ScriptedStep } from './model-server.ts';

type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;

const STEPS = 100;
const PAGES = 1_500;
const MODEL = 'openai-compatible/bench';

/**
 * One job of a hundred steps on a site of 1,500 pages, by a model that takes no time: what is between its answer and the next
 * request is Docent's. Each step reads a page of some 8,000 characters, every fourth changes one too, so that the conversation has
 * 200,000 tokens in the end.
 */
export async function benchSteps(): Promise<BenchRow[]> {
  const server = await startModelServer(scriptedStep);
  const stack = await startBenchStack((folder) => ({
    DOCENT_MODEL: MODEL,
    DOCENT_TURN_STEPS: String(STEPS + 10),
    OPENAI_COMPATIBLE_BASE_URL: server.url,
    DOCENT_MODELS_FILE: path.join(folder, 'models.json'),
  }));
  try {
    await writeFile(path.join(stack.folder, 'models.json'), JSON.stringify({ [MODEL]: { contextTokens: 1_000_000 } }));
    await stack.startApi();
    await stack.startWorker();
    const id = await jobOf(stack);
    const history = await historyOf(stack, id);
    const tokens = Math.round(server.lastRequest / 4);
    const gaps = server.gaps.slice(0, STEPS);
    const [events, bytes] = [
      Math.max(...history.map((run) => run.events)),
      history.reduce((sum, run) => sum + run.bytes, 0),
    ];
    const ownTimes = (type: string) => history.flatMap(({ activities }) => activities[type] ?? []);
    const [asking, tools] = [median(ownTimes('callModel')), median(ownTimes('runTools'))];
    return [
      {
        name: `Overhead per step, ${STEPS} steps on ${PAGES} pages (all but the model)`,
        measured: `p10 ${ms(percentile(gaps, 10))}, p50 ${ms(median(gaps))}, p90 ${ms(percentile(gaps, 90))}; first ten ${ms(median(gaps.slice(0, 10)))}, last ten ${ms(median(gaps.slice(-10)))}; activities' own time: callModel ${ms(asking)}, runTools ${ms(tools)}`,
        goal: 'p50 below 60 ms',
        met: median(gaps) < 60,
      },
      {
        name: `History of a job of ${STEPS} steps, ${Math.round(tokens / 1_000)}k tokens of transcript`,
        measured: `${(bytes / 1_048_576).toFixed(2)} MB in ${history.length} runs; ${events} events in the longest`,
        goal: 'below 2 MB; at most 1,000 events a run',
        met: bytes < 2 * 1_048_576 && events <= 1_000,
      },
    ];
  } finally {
    await stack.stop();
    server.close();
  }
}

function scriptedStep(step: number): ScriptedStep {
  if (step > STEPS) return 'Changed some pages\n\nAll done.';
  const path = `guides/section-${step % 40}/page-${step}.mdx`;
  const look: [string, object] = ['read', { path }];
  if (step % 4 !== 0) return [look];
  return [look, ['edit', { path, oldText: `This is page ${step}.`, newText: `This is the page ${step}.` }]];
}

async function jobOf(stack: BenchStack): Promise<string> {
  const repository = path.join(stack.folder, 'steps.git');
  await makeRepository(repository, pages());
  const created = await stack.client.POST('/v1/projects', { body: { id: 'steps', repository, ref: 'main' } });
  if (created.error) throw new Error(`The project was refused: ${JSON.stringify(created.error)}`);
  const at = { projectId: 'steps' };
  const { data } = await stack.client.POST('/v2/agent/{projectId}/job', {
    params: { path: at },
    body: { prompt: 'Change pages' },
  });
  if (!data) throw new Error('The job was refused.');
  for (;;) {
    const { data: job } = await stack.client.GET('/v2/agent/{projectId}/job/{id}', {
      params: { path: { ...at, id: data.id } },
    });
    if (job && job.status !== 'active') {
      if (job.status !== 'completed' || !job.prLink) throw new Error(`The job ended wrong: ${JSON.stringify(job)}`);
      return data.id;
    }
    await sleep(200);
  }
}

interface Run {
  events: number;
  bytes: number;
  /** By the activity's type: how long each took by its own account. */
  activities: Record<string, number[]>;
}

/** The activities' own running times, which their results have. */
function timesOf(history: History): Record<string, number[]> {
  const types = new Map<string, string>();
  const times: Record<string, number[]> = {};
  for (const { eventId, activityTaskScheduledEventAttributes: scheduled, ...event } of history.events ?? []) {
    if (scheduled) types.set(String(eventId), scheduled.activityType?.name ?? '');
    const completed = event.activityTaskCompletedEventAttributes;
    const payload = completed?.result?.payloads?.[0]?.data;
    if (!completed || !payload) continue;
    const { ms: took } = JSON.parse(Buffer.from(payload).toString()) as { ms: number };
    (times[types.get(String(completed.scheduledEventId)) ?? ''] ??= []).push(took);
  }
  return times;
}

/** Events and bytes of each run of the job's workflow. */
async function historyOf(stack: BenchStack, jobId: string): Promise<Run[]> {
  const connection = await Connection.connect({ address: stack.temporalAddress });
  const { workflow } = new Client({ connection });
  const runs: Run[] = [];
  // Lists are a moment behind.
  await sleep(2_000);
  for await (const { workflowId, runId } of workflow.list({ query: 'WorkflowType = "agentJob"' })) {
    if (!workflowId.endsWith(jobId)) continue;
    const handle = workflow.getHandle(workflowId, runId);
    const { historyLength, historySize } = await handle.describe();
    const activities = timesOf(await handle.fetchHistory());
    runs.push({ events: historyLength, bytes: historySize ?? NaN, activities });
  }
  await connection.close();
  return runs;
}

function pages(): Record<string, string> {
  let seed = 7;
  const next = () => (seed = (seed * 48_271) % 2_147_483_647);
  const sentence = () => Array.from({ length: 10 }, () => next().toString(36)).join(' ');
  const names = Array.from({ length: PAGES }, (_, n) => `guides/section-${n % 40}/page-${n}`);
  const navigation = { groups: [{ group: 'Guides', pages: names }] };
  return Object.fromEntries([
    ['docs.json', `${JSON.stringify({ name: 'Bench', navigation }, null, 2)}\n`],
    ...names.map((name, n) => [
      `${name}.mdx`,
      `---\ntitle: Page ${n}\n---\n\nThis is page ${n}. Go on to [the next](/${names[(n + 1) % PAGES]}).\n\n${Array.from({ length: 105 }, sentence).join('\n\n')}\n`,
    ]),
  ]);
}
