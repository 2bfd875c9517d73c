import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import type { components } from '../../packages/client/src/index.ts';
import type { BenchProject, HostBench } from './host-bench.ts';
import { until } from './patience.ts';
import { startReceiver, type ReceivedMessage } from './webhook-receiver.ts';

const typesOf = (received: readonly ReceivedMessage[]) => received.map(({ json }) => String(json.type)).toSorted();

/** What is sent about projects whose repositories are on a code host. */
export function webhookEventTests(benchOf: () => HostBench): void {
  async function receiverOf(project: BenchProject, events: components['schemas']['WebhookEvent'][]) {
    const receiver = await startReceiver();
    const { data, error } = await benchOf().docent.client.POST('/v1/projects/{projectId}/webhooks', {
      params: { path: { projectId: project.id } },
      body: { url: receiver.url, events },
    });
    if (!data?.secret) throw new Error(JSON.stringify(error));
    benchOf().docent.forbiddenTexts.add(data.secret);
    return receiver;
  }

  /** The scheduled look, which would come within ten minutes. */
  async function makeDue({ id }: BenchProject): Promise<void> {
    await benchOf().docent.database.pool.query(
      `UPDATE pull_requests SET next_poll_at = now() - interval '1 day' WHERE project_id = $1`,
      [id],
    );
  }

  async function archive(project: BenchProject, id: string): Promise<void> {
    const params = { path: { projectId: project.id, id } };
    await benchOf().docent.client.POST('/v2/agent/{projectId}/job/{id}/archive', { params });
  }

  describe('a pull request that a person handles at the code host', () => {
    test.for(['merged', 'closed'] as const)(
      'and that is %s there is reported, once, without anyone asking',
      async (how) => {
        const project = await benchOf().project();
        const receiver = await receiverOf(project, [
          'pull_request.updated',
          'pull_request.merged',
          'pull_request.closed',
        ]);
        const job = await project.run();
        const pushed = project.repository.commitOn(`docent/${job.id}`);
        await makeDue(project);
        await until('the push is reported', () => receiver.ofType('pull_request.updated').length === 1);
        const [updated] = receiver.ofType('pull_request.updated');
        expect(updated?.json.data.pullRequest).toMatchObject({ jobId: job.id, state: 'open', headCommit: pushed });
        const [pull] = project.repository.pulls;
        if (how === 'merged') project.repository.merge(pull!);
        else project.repository.close(pull!);
        await makeDue(project);
        await until('it is reported', () => receiver.ofType(`pull_request.${how}`).length === 1);
        const [message] = receiver.ofType(`pull_request.${how}`);
        expect(message?.json.data.pullRequest).toMatchObject({
          state: how,
          link: job.prLink,
          mergeCommit: how === 'merged' ? pull?.mergeCommit : null,
        });
        // A second poll finds the same, and sends nothing.
        const params = { path: { projectId: project.id, id: job.id }, query: { refresh: true } };
        const { data } = await benchOf().docent.client.GET('/v2/agent/{projectId}/job/{id}/pull-request', { params });
        expect(data?.state).toBe(how);
        await archive(project, job.id);
        expect(typesOf(receiver.received)).toEqual([`pull_request.${how}`, 'pull_request.updated'].toSorted());
        await receiver.close();
      },
    );
  });

  describe('the end of a job', () => {
    test('that fails is reported with why, and each time', async () => {
      const project = await benchOf().project();
      const receiver = await receiverOf(project, ['job.completed', 'job.failed']);
      benchOf().host.delete(project.repository);
      const id = await project.post();
      const failed = await project.settled(id);
      expect(failed.error?.code).toBe('repository_missing');
      await until('it is reported', () => receiver.received.length === 1);
      expect(receiver.received[0]?.json).toMatchObject({
        type: 'job.failed',
        data: { projectId: project.id, job: { id, status: 'failed', error: failed.error } },
      });
      await project.say(id);
      await until('it is sent again', () => receiver.received.length === 2);
      expect(typesOf(receiver.received)).toEqual(['job.failed', 'job.failed']);
      await receiver.close();
    });

    test('that is archived is reported once each time', async () => {
      const project = await benchOf().project();
      const receiver = await receiverOf(project, ['job.archived']);
      const asked = await project.run();
      await archive(project, asked.id);
      await archive(project, asked.id);
      await until('the request is reported', () => receiver.received.length === 1);
      expect(receiver.received[0]?.json.data.job).toMatchObject({ id: asked.id, status: 'archived' });
      // Taken back and put away again, it is sent again.
      const params = { path: { projectId: project.id, id: asked.id } };
      await benchOf().docent.client.POST('/v2/agent/{projectId}/job/{id}/unarchive', { params });
      await archive(project, asked.id);
      await until('the second one is reported', () => receiver.received.length === 2);
      expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(2);
      await receiver.close();
    });

    test('for an exhausted budget is sent once a day, besides the failure of each job', async () => {
      const project = await benchOf().project();
      const receiver = await receiverOf(project, ['job.failed', 'budget.reached']);
      const path = { projectId: project.id };
      const settings = { budgetDayTokens: 1_000 };
      await benchOf().docent.client.PATCH('/v1/projects/{projectId}', { params: { path }, body: { settings } });
      const earlier = await project.run('Which pages are there?');
      expect(earlier.status).toBe('completed');
      const { pool } = benchOf().docent.database;
      await pool.query(
        `INSERT INTO model_calls (job_id, turn_no, step_no, project_id, model, state,
         input_tokens, cached_input_tokens, output_tokens, created_at)
       VALUES ($1, 99, 1, $2, 'builtin', 'done', 1000, 0, 500, now())`,
        [earlier.id, project.id],
      );
      const [first, second] = [await project.run(), await project.run()];
      expect([first.error?.code, second.error?.code]).toEqual(['budget_project', 'budget_project']);
      await until('all is reported', () => receiver.received.length >= 3);
      expect(typesOf(receiver.received)).toEqual(['budget.reached', 'job.failed', 'job.failed']);
      expect(receiver.ofType('budget.reached')[0]?.json.data).toMatchObject({
        projectId: project.id,
        budget: { name: 'dayTokens', limit: 1_000 },
        job: { id: first.id },
      });
      await receiver.close();
    });
  });

  test('no secret, address or response of a receiver is in a workflow history or a log', async () => {
    const project = await benchOf().project();
    const secret = `whsec_${randomBytes(24).toString('base64')}`;
    const token = `token-${randomBytes(16).toString('hex')}`;
    const said = `said-${randomBytes(16).toString('hex')}`;
    let isUp = false;
    const receiver = await startReceiver(() => ({ status: isUp ? 200 : 500, body: said }));
    const { data } = await benchOf().docent.client.POST('/v2/agent/{projectId}/job', {
      params: { path: { projectId: project.id } },
      body: {
        prompt: 'Append a section "Next" with text "Read on." to the page guides/start',
        webhook: { url: `${receiver.url}?token=${token}`, secret, events: ['job.completed'] },
      },
    });
    const id = data?.id ?? '';
    await project.settled(id);
    await until('it was tried', () => receiver.received.length > 0);
    isUp = true;
    const state = async () =>
      (
        await benchOf().docent.database.pool.query(
          `SELECT state FROM webhook_deliveries WHERE data->'job'->>'id' = $1`,
          [id],
        )
      ).rows[0]?.state;
    await until('it is delivered', async () => (await state()) === 'delivered');
    const last = receiver.received.at(-1);
    expect(new Webhook(secret).verify(last?.body ?? '', { ...last?.headers } as never)).toMatchObject({
      data: { job: { id } },
    });
    const histories = await project.histories();
    const logs = benchOf()
      .roles.map((role) => role.output())
      .join('\n');
    // Checks that the pattern finds the text.
    expect(histories).toMatch(/"data":{"deliveryId":"msg_\w+"}/);
    expect(histories).toContain('The receiver returned 500.');
    for (const word of [secret, secret.replace('whsec_', ''), token, said]) {
      expect(histories).not.toContain(word);
      expect(logs).not.toContain(word);
    }
    await receiver.close();
  });
}
