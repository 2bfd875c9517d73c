import { Agent, request as send } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import { expect, test } from 'vitest';
import { installationId } from '../../src/store/installation/installation.ts';
import { jobWorkflowId } from '../../src/workflows/contract.ts';
import { Installation } from '../support/installation.ts';
import { services } from '../support/run-services.ts';

interface Answer {
  status: number;
  closes: boolean;
  body: string;
}

function ask(docent: Installation, agent: Agent, method: string, route: string, body?: object): Promise<Answer> {
  const headers = { authorization: `Bearer ${docent.operatorToken}`, 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const request = send(docent.apiUrl + route, { method, agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => (text += part));
      response.once('error', reject);
      response.once('end', () => {
        const closes = response.headers.connection === 'close';
        resolve({ status: response.statusCode ?? 0, closes, body: text });
      });
    });
    request.once('error', reject);
    request.end(body && JSON.stringify(body));
  });
}

test(
  'SIGTERM under load costs no request: readiness says so first, connections are given up, what was taken is answered',
  { timeout: 400_000 },
  async () => {
    const docent = await Installation.create();
    try {
      // No worker ends jobs, so that each needs a slot.
      const slots = { DOCENT_CONCURRENT_JOBS: '1000', DOCENT_PROJECT_CONCURRENT_JOBS: '1000' };
      const api = await docent.startApi({ DOCENT_DRAIN_SECONDS: '2', ...slots });
      await docent.database.pool.query(
        `INSERT INTO projects (id, repository, ref, model) VALUES ('acme', '/nowhere', 'main', 'builtin')`,
      );
      const seen: { notReady?: Answer } = {};
      const errors: unknown[] = [];
      const statuses = new Map<number, number>();
      let toldToClose = 0;
      const clients = Array.from({ length: 8 }, async (_, no) => {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 });
        for (let round = 0; !seen.notReady; round += 1) {
          try {
            const answer =
              (round + no) % 4 === 0
                ? await ask(docent, agent, 'POST', '/v2/agent/acme/job', { prompt: 'Fix broken links' })
                : await ask(docent, agent, 'GET', '/v2/agent/acme/jobs?limit=5');
            statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
            if (answer.closes) toldToClose += 1;
            await sleep(5);
          } catch (err) {
            errors.push(err);
            await sleep(5);
          }
        }
        agent.destroy();
      });
      const balancer = (async () => {
        const agent = new Agent({ keepAlive: false });
        while (!seen.notReady) {
          const answer = await ask(docent, agent, 'GET', '/readyz').catch((err: unknown) => {
            errors.push(err);
            return { status: 503, closes: true, body: 'the address is gone' };
          });
          // Load balancers poll periodically. Until then, requests arrive.
          await sleep(250);
          if (answer.status === 503) seen.notReady = answer;
        }
      })();
      await sleep(1_500);
      api.child.kill('SIGTERM');
      await Promise.all([balancer, ...clients]);
      expect(await api.ended, api.output().slice(-3_000)).toBe(0);

      expect(errors).toEqual([]);
      expect([...statuses.keys()].toSorted((left, right) => left - right)).toEqual([200, 201]);
      expect(JSON.parse(seen.notReady?.body ?? '{}')).toMatchObject({
        code: 'unavailable',
        error: expect.stringContaining('This server is shutting down.'),
      });
      expect(toldToClose, 'kept connections are told to end').toBeGreaterThan(0);
      const { rows } = await docent.database.pool.query<{ id: string }>('SELECT id FROM jobs');
      expect(rows).toHaveLength(statuses.get(201) ?? 0);
      // No worker runs: every job with a workflow was signaled before the process ended.
      const connection = await Connection.connect({ address: services.temporalAddress });
      const { workflow } = new Client({ connection });
      const installation = await installationId(docent.database.db);
      for (const { id } of rows) {
        const { status } = await workflow.getHandle(jobWorkflowId(installation, id)).describe();
        expect(status.name).toBe('RUNNING');
      }
      await connection.close();
    } finally {
      await docent.stop();
    }
  },
);

test('Ctrl-C, and a second SIGTERM, do not wait for load balancers', { timeout: 400_000 }, async () => {
  const docent = await Installation.create();
  try {
    for (const signals of [['SIGINT'], ['SIGTERM', 'SIGTERM']] as const) {
      const api = await docent.startApi({ DOCENT_DRAIN_SECONDS: '600' });
      for (const signal of signals) {
        api.child.kill(signal);
        await sleep(300);
      }
      expect(await api.ended, api.output().slice(-3_000)).toBe(0);
    }
  } finally {
    await docent.stop();
  }
});
