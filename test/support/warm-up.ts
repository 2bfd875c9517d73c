import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDocentClient } from '../../packages/client/src/index.ts';
import { createDatabase, dropDatabase } from './databases.ts';
import { freePort } from './free-port.ts';
import { patienceMs } from './patience.ts';
import { makeRepository, SITE } from './repository.ts';
import { spawnRole, untilReady } from './role-process.ts';

/**
 * An API and a worker carry out a job, and end. What they compiled stays in Node's cache, with all
 * functions that ran: later ones take a seventh less processor time until their first job is done.
 */
export async function runOneJob({
  program,
  folder,
  ...services
}: Record<'program' | 'folder' | 'postgresUrl' | 'databaseTemplate' | 'temporalAddress', string>): Promise<void> {
  const database = await createDatabase(services.postgresUrl, services.databaseTemplate);
  const home = path.join(folder, 'warm-up');
  const repository = path.join(home, 'docs.git');
  await makeRepository(repository, SITE);
  const port = String(await freePort());
  const apiUrl = `http://127.0.0.1:${port}`;
  const operatorToken = randomBytes(24).toString('hex');
  const env = {
    HOME: home,
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: services.temporalAddress,
    DOCENT_PORT: port,
    DOCENT_OPERATOR_TOKEN: operatorToken,
    DOCENT_CACHE_DIR: path.join(home, 'cache'),
  };
  const roles = (['api', 'worker'] as const).map((role) => spawnRole(role, env, program));
  try {
    for (const role of roles) await untilReady(role, () => /"answering"|ready for jobs/.test(role.output()));
    const client = createDocentClient({ baseUrl: apiUrl, apiKey: operatorToken });
    const projectId = 'acme';
    await client.POST('/v1/projects', { body: { id: projectId, repository, ref: 'main' } });
    const prompt = 'Append a section "Next" with text "Read on." to the page guides/start';
    const { data, error } = await client.POST('/v2/agent/{projectId}/job', {
      params: { path: { projectId } },
      body: { prompt },
    });
    if (!data) throw new Error(error.error);
    const params = { path: { projectId, id: data.id } };
    const signal = AbortSignal.timeout(patienceMs());
    while ((await client.GET('/v2/agent/{projectId}/job/{id}', { params })).data?.status === 'active')
      await sleep(100, undefined, { signal });
  } finally {
    await Promise.all(roles.map((role) => role.kill('SIGTERM')));
    await dropDatabase(services.postgresUrl, database.name);
  }
}
