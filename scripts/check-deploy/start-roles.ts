import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createDocentClient } from '@docent/client';
import { parseAllDocuments } from 'yaml';
import { makeDemoRepository } from '../../src/start/demo-repository.ts';
import { findTemporal } from '@docent/servers/temporal/find';
import { Reaper } from '@docent/servers/processes/reaper';
import { startSystemPostgres, type SystemPostgres } from '../cluster/postgres.ts';
import { temporalPrograms } from '../cluster/temporal-programs.ts';
import { startTemporalServices } from '../cluster/temporal-services.ts';
import { freePort } from '../free-port.ts';

const run = promisify(execFile);
const ROOT = path.join(import.meta.dirname, '..', '..');
const CLI = path.join(ROOT, 'src', 'cli', 'main.ts');
const READY_MS = 120_000;
const PROMPT = 'Add a page titled "Deployed" at guides/deployed with the text "Written by a deployed role."';

const BUCKET = ['DOCENT_ANALYTICS_STORAGE', 'DOCENT_ANALYTICS_ACK'];

type Variables = Record<string, string>;
/** The environment of each role, as a file of `deploy/` gives it. */
export type RoleVariables = Record<'api' | 'worker', Variables> & { migrate?: Variables };

interface Manifest {
  kind: string;
  metadata: { name: string };
  data?: Variables;
  stringData?: Variables;
  spec?: { template?: { spec: { containers: Container[] } } };
}
interface Container {
  args: [string];
  env?: { name: string; value: string }[];
  envFrom: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
}

/**
 * @param secrets the reader's values for `replace-me`, by variable; one without a value is deleted
 */
export async function kubernetesVariables(folder: string, secrets: Variables): Promise<RoleVariables> {
  const names = ['config', 'secret.example', 'migrate', 'api', 'worker'];
  const texts = await Promise.all(names.map((name) => readFile(path.join(folder, `${name}.yaml`), 'utf8')));
  const manifests = texts.flatMap((text) =>
    parseAllDocuments(text).map((document) => document.toJS() as unknown as Manifest),
  );
  const valuesOf = (kind: string, name = '') => {
    const found = manifests.find((one) => one.kind === kind && one.metadata.name === name);
    if (!found) throw new Error(`${kind} ${name} is in no file.`);
    const { data = {}, stringData = {} } = found;
    const given = Object.entries(stringData).flatMap(([key, value]) =>
      value.startsWith('replace-me') ? (key in secrets ? [[key, secrets[key]]] : []) : [[key, value]],
    );
    return { ...data, ...(Object.fromEntries(given) as Variables) };
  };
  const containers = manifests.flatMap(({ spec }) => spec?.template?.spec.containers ?? []);
  return Object.fromEntries(
    containers.map(({ args: [role], env = [], envFrom }) => [
      role,
      {
        ...Object.assign(
          {},
          ...envFrom.map(({ configMapRef, secretRef }) =>
            configMapRef ? valuesOf('ConfigMap', configMapRef.name) : valuesOf('Secret', secretRef?.name),
          ),
        ),
        ...Object.fromEntries(env.map(({ name, value }) => [name, value])),
      },
    ]),
  ) as RoleVariables;
}

/** What the image sets. */
export async function imageVariables(): Promise<Variables> {
  const text = await readFile(path.join(ROOT, 'Containerfile'), 'utf8');
  const [, block = ''] = /^ENV ((?:.*\\\n)*.*)$/m.exec(text) ?? [];
  return Object.fromEntries([...block.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]));
}

export interface Scripts {
  /** Creates Temporal's databases. */
  schema: string;
  /** Creates namespace and search attributes. */
  namespace: string;
}

/** A PostgreSQL of the system's packages and a Temporal, set up by the scripts of `deploy/`. */
export class Services {
  readonly #folder: string;
  readonly #reaper: Reaper;
  readonly #postgres: SystemPostgres;
  #temporal: Awaited<ReturnType<typeof startTemporalServices>> | undefined;

  private constructor(folder: string, reaper: Reaper, postgres: SystemPostgres) {
    this.#folder = folder;
    this.#reaper = reaper;
    this.#postgres = postgres;
  }

  /** Runs each script twice: the second run must change nothing. */
  static async start(folder: string, scripts: Scripts, say: (text: string) => void): Promise<Services> {
    const programs = await temporalPrograms(say);
    const { binary } = await findTemporal({ env: process.env });
    const bin = path.join(folder, 'bin');
    await mkdir(bin);
    await symlink(programs.sqlTool, path.join(bin, 'temporal-sql-tool'));
    await symlink(binary, path.join(bin, 'temporal'));
    const reaper = new Reaper();
    const services = new Services(folder, reaper, await startSystemPostgres(folder, reaper));
    const sh = async (name: string, text: string, env: Variables) => {
      const file = path.join(folder, `${name}.sh`);
      await writeFile(file, text);
      for (const _ of ['first', 'second'])
        await run('sh', [file], { env: { PATH: `${bin}:/usr/bin:/bin`, HOME: folder, ...env }, timeout: READY_MS });
      say(`The ${name} of Temporal is set up, and again.`);
    };
    try {
      const { port, user } = services.#postgres;
      await sh('schema', scripts.schema, {
        SQL_PLUGIN: 'postgres12',
        SQL_HOST: '127.0.0.1',
        SQL_PORT: String(port),
        SQL_USER: user,
        SQL_PASSWORD: 'secret',
      });
      services.#temporal = await startTemporalServices(folder, programs, services.#postgres, reaper);
      await sh('namespace', scripts.namespace, { TEMPORAL_ADDRESS: services.#temporal.address });
      return services;
    } catch (err) {
      await services.stop();
      throw err;
    }
  }

  /**
   * Starts the roles with these variables and no others, but addresses, ports and folders of this machine;
   * has them do a job; and stops them.
   * @throws with their output if they do not
   */
  async tryRoles(name: string, roles: RoleVariables): Promise<void> {
    const folder = path.join(this.#folder, name);
    const database = `docent_${name}`;
    await mkdir(folder);
    const { port: postgresPort, url } = this.#postgres;
    await run('psql', [url, '--command', `CREATE DATABASE ${database}`]);
    const port = await freePort();
    const image = await imageVariables();
    const here = (variables: Variables): Variables => {
      // There is no bucket here: page views go into the folder.
      const given = Object.entries({ ...image, ...variables }).filter(([key]) => !BUCKET.includes(key));
      const moved = given.map(([key, value]) => [key, value.replace(/^\/var\//, `${folder}/var/`)]);
      return {
        PATH: process.env.PATH ?? '',
        ...(Object.fromEntries(moved) as Variables),
        DATABASE_URL: (variables.DATABASE_URL ?? '').replace(/@[^/]+\/\w+$/, `@127.0.0.1:${postgresPort}/${database}`),
        TEMPORAL_ADDRESS: this.#temporal?.address ?? '',
        DOCENT_HOST: '127.0.0.1',
        DOCENT_PORT: String(port),
      };
    };
    await mkdir(path.join(folder, 'var', 'lib', 'docent'), { recursive: true });
    await mkdir(path.join(folder, 'var', 'cache', 'docent'), { recursive: true });
    if (roles.migrate) await run(process.execPath, [CLI, 'migrate'], { env: here(roles.migrate), timeout: READY_MS });
    const log = path.join(folder, 'roles.log');
    const children = (['api', 'worker'] as const).map((role) => {
      const child = spawn(process.execPath, [CLI, role], {
        env: here(roles[role]),
        cwd: folder,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      child.stdout.pipe(createWriteStream(log, { flags: 'a' }));
      return child;
    });
    try {
      await doJob(`http://127.0.0.1:${port}`, roles.api.DOCENT_OPERATOR_TOKEN ?? '', path.join(folder, 'docs'));
    } catch (err) {
      throw new Error(`The roles of ${name} do not work: ${String(err)}\n${await readFile(log, 'utf8')}`, {
        cause: err,
      });
    } finally {
      for (const child of children) {
        if (child.exitCode !== null || child.signalCode !== null) continue;
        child.kill('SIGINT');
        await once(child, 'exit');
      }
    }
  }

  async stop(): Promise<void> {
    for (const kept of [...(this.#temporal?.services ?? []), this.#postgres.kept]) await kept.stop();
    await this.#reaper.close();
  }
}

async function doJob(baseUrl: string, apiKey: string, repository: string): Promise<void> {
  const deadline = performance.now() + READY_MS;
  const until = async (what: string, isTrue: () => Promise<boolean>) => {
    while (!(await isTrue().catch(() => false))) {
      if (performance.now() > deadline) throw new Error(`Not true within ${READY_MS / 1_000} s: ${what}.`);
      await sleep(200);
    }
  };
  await until('/readyz answers 200', async () => (await fetch(`${baseUrl}/readyz`)).ok);
  await makeDemoRepository(repository);
  const docent = createDocentClient({ baseUrl, apiKey });
  const path = { projectId: 'deployed' };
  const project = await docent.POST('/v1/projects', { body: { id: path.projectId, repository, ref: 'main' } });
  if (project.error) throw new Error(project.error.error);
  const { data: job, error } = await docent.POST('/v2/agent/{projectId}/job', {
    params: { path },
    body: { prompt: PROMPT },
  });
  if (error) throw new Error(error.error);
  await until('the job has a pull request', async () => {
    const { data } = await docent.GET('/v2/agent/{projectId}/job/{id}', { params: { path: { ...path, id: job.id } } });
    return data?.status === 'completed' && data.prLink !== null;
  });
}
