import { setTimeout as sleep } from 'node:timers/promises';
import { createDocentClient, type DocentClient } from '../../packages/client/src/index.ts';
import { BATCH, eventsOf } from './analytics-load.ts';
import type { Installation } from './installation.ts';

/** Without a wait for more jobs. */
const JOB_EVERY_MS = 10_000;
const JOB_CHECK_EVERY_MS = 500;
const EVENTS_EVERY_MS = 500;
const QUESTION_EVERY_MS = 1_000;

/**
 * Jobs, messages, page views and questions, without a pause, to those APIs that are in rotation: as behind a
 * load balancer that is notified before one of them is stopped. Everything that is not answered as it should
 * be is kept in `troubles`.
 */
export class SteadyLoad {
  readonly jobs: string[] = [];
  readonly troubles: string[] = [];
  events = 0;
  answers = 0;
  readonly #docent: Installation;
  readonly #rotation: string[] = [];
  /** How many requests each address is to answer. */
  readonly #asked = new Map<string, number>();
  readonly #loops: Promise<void>[];
  #wantedJobs = 0;
  #lastJobAt = 0;
  #turn = 0;
  #batch = 0;
  #stopped = false;

  constructor(docent: Installation, firstUrl: string) {
    this.#docent = docent;
    this.#rotation.push(firstUrl);
    this.#loops = [
      this.#repeat(JOB_CHECK_EVERY_MS, () => this.#postDueJob()),
      this.#repeat(EVENTS_EVERY_MS, () => this.#sendEvents()),
      this.#repeat(QUESTION_EVERY_MS, () => this.#ask()),
    ];
  }

  add(url: string): void {
    this.#rotation.push(url);
  }

  /** Resolves when nothing new goes there, and all that went there is answered. */
  async remove(url: string): Promise<void> {
    this.#rotation.splice(this.#rotation.indexOf(url), 1);
    while (this.#asked.get(url)) await sleep(20);
  }

  /** Posts this many more jobs, one after the other, and resolves when they were accepted. */
  async moreJobs(count: number): Promise<void> {
    this.#wantedJobs = this.jobs.length + count;
    while (this.jobs.length < this.#wantedJobs && this.troubles.length === 0) await sleep(200);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#loops);
  }

  async #repeat(everyMs: number, work: () => Promise<void>): Promise<void> {
    while (!this.#stopped) {
      await work().catch((err: unknown) => this.troubles.push(String(err), String((err as Error).cause ?? '')));
      await sleep(everyMs);
    }
  }

  /** Asks the next one. */
  async #expect<A extends { response: Response; error?: unknown }>(
    what: string,
    status: number,
    ask: (client: DocentClient) => Promise<A>,
  ): Promise<A> {
    const url = this.#rotation[this.#turn++ % this.#rotation.length] ?? '';
    const count = (by: number) => this.#asked.set(url, (this.#asked.get(url) ?? 0) + by);
    count(1);
    try {
      const answer = await ask(createDocentClient({ baseUrl: url, apiKey: this.#docent.operatorToken }));
      this.#judge(what, status, answer);
      return answer;
    } finally {
      count(-1);
    }
  }

  #judge(what: string, status: number, answer: { response: Response; error?: unknown }): void {
    this.answers += 1;
    if (answer.response.status === status) return;
    this.troubles.push(
      `${what}: ${answer.response.status} instead of ${status} from ${answer.response.url}: ${JSON.stringify(answer.error)}`,
    );
  }

  async #postDueJob(): Promise<void> {
    if (this.jobs.length >= this.#wantedJobs && Date.now() < this.#lastJobAt + JOB_EVERY_MS) return;
    this.#lastJobAt = Date.now();
    await this.#postJob();
  }

  async #postJob(): Promise<void> {
    const { projectId } = this.#docent;
    const no = this.jobs.length;
    const path = { projectId };
    const body = { prompt: `Append a section "S${no}" with text "Job ${no}." to the page guides/log` };
    const created = await this.#expect('job', 201, (client) =>
      client.POST('/v2/agent/{projectId}/job', { params: { path }, body }),
    );
    if (!created.data) return;
    const { id } = created.data;
    this.jobs.push(id);
    await this.#expect('message', 200, (client) =>
      client.POST('/v2/agent/{projectId}/job/{id}/message', {
        params: { path: { projectId, id } },
        body: { prompt: `Append a section "T${no}" with text "Message ${no}." to the page guides/start` },
      }),
    );
  }

  async #sendEvents(): Promise<void> {
    const params = { path: { projectId: this.#docent.projectId } };
    const events = eventsOf(this.#batch++) as never[];
    const answer = await this.#expect('events', 202, (client) =>
      client.POST('/v1/analytics/{projectId}/events', { params, body: { events } }),
    );
    if (answer.response.status === 202) this.events += BATCH;
  }

  async #ask(): Promise<void> {
    const { projectId } = this.#docent;
    const params = { path: { projectId } };
    await this.#expect('visitors', 200, (client) => client.GET('/v1/analytics/{projectId}/visitors', { params }));
    await this.#expect('views', 200, (client) => client.GET('/v1/analytics/{projectId}/views', { params }));
    await this.#expect('jobs', 200, (client) => client.GET('/v2/agent/{projectId}/jobs', { params }));
    const id = this.jobs.at(-1);
    if (id === undefined) return;
    const one = { path: { projectId, id } };
    await this.#expect('one job', 200, (client) => client.GET('/v2/agent/{projectId}/job/{id}', { params: one }));
  }
}
