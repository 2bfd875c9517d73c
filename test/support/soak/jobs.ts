import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger } from './ledger.ts';

/** A job as a soak has made it, and what must come of it. */
export interface MadeJob {
  id: string;
  /** Prompts that the server has acknowledged; each appends one section of its own. */
  sections: { page: string; title: string }[];
  kind: 'pull-request' | 'preview' | 'discarded' | 'ask' | 'push' | 'stopped';
}

export interface JobAnswer {
  id: string;
  status: 'active' | 'completed' | 'failed' | 'archived';
  prLink: string | null;
  outcome: string | null;
  summary: string | null;
  error: { code: string; message: string } | null;
}

const JOB = '/v2/agent/{projectId}/job';
const ONE = '/v2/agent/{projectId}/job/{id}';

/** What a soak does with jobs, as a client would. */
export class JobClient {
  readonly made: MadeJob[] = [];
  readonly ledger: Ledger;
  readonly projectId: string;
  #no = 0;

  constructor(ledger: Ledger, projectId: string) {
    this.ledger = ledger;
    this.projectId = projectId;
  }

  /** A prompt for the model `builtin`, whose section no one else asks for. */
  section(page: string): { prompt: string; page: string; title: string } {
    const title = `Note ${this.#no++} of ${this.projectId}`;
    return { prompt: `Append a section "${title}" with text "Said in ${title}." to the page ${page}`, page, title };
  }

  async create(
    kind: MadeJob['kind'],
    page: string,
    options: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ): Promise<MadeJob | null> {
    const { prompt, ...section } = this.section(page);
    const job = await this.ledger.ask<JobAnswer>({
      method: 'post',
      route: JOB,
      path: { projectId: this.projectId },
      headers,
      body: { ...options, prompt },
      expect: [201],
    });
    if (!job) return null;
    const made: MadeJob = { id: job.id, kind, sections: [section] };
    this.made.push(made);
    return made;
  }

  async say(made: MadeJob, page: string): Promise<void> {
    const { prompt, ...section } = this.section(page);
    const told = await this.post(made, 'message', { prompt }, [200]);
    if (told) made.sections.push(section);
  }

  /** Posts to one of the job's routes. */
  post(made: MadeJob, action: string, body: unknown, expect: readonly number[]): Promise<JobAnswer | null> {
    return this.ledger.ask<JobAnswer>({
      method: 'post',
      route: `${ONE}/${action}`,
      path: { projectId: this.projectId, id: made.id },
      ...(body === undefined ? {} : { body }),
      expect,
    });
  }

  /** Reads one of the job's routes. */
  get<Answer>(made: MadeJob, what = '', query: Record<string, string | number> = {}): Promise<Answer | null> {
    const route = what === '' ? ONE : `${ONE}/${what}`;
    const path = { projectId: this.projectId, id: made.id };
    return this.ledger.ask<Answer>({ method: 'get', route, path, query, expect: [200] });
  }

  /** Waits until the job is at rest. */
  async settled(made: MadeJob, withinMs = 120_000): Promise<JobAnswer | null> {
    const deadline = Date.now() + withinMs;
    for (;;) {
      const job = await this.get<JobAnswer>(made);
      if (job && job.status !== 'active') return job;
      if (Date.now() > deadline) {
        this.ledger.wrong(`Job ${made.id} (${made.kind}) is active after ${withinMs} ms.`);
        return null;
      }
      await sleep(300);
    }
  }
}
