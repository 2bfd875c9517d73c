import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readOperatorToken, readRunFile, type RunFile } from '../../src/start/home.ts';
import { writeSampleSite, writeSampleSource } from './screenshots/sample-site.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const START_MS = 15 * 60_000;

/** Docent that runs in a temporary folder, and the repository of a sample site beside it. */
export interface SampleDocent {
  apiUrl: string;
  token: string;
  repository: string;
  /** The code that the site is about. */
  source: string;
  /** Ends it and deletes its folder. */
  stop(): Promise<void>;
}

/**
 * @param env settings besides the defaults
 * @throws Error if it does not start within fifteen minutes: the first start may build the Temporal server
 */
export async function startSample(env: Readonly<Record<string, string>> = {}): Promise<SampleDocent> {
  const folder = await mkdtemp(path.join(tmpdir(), 'docent-sample-'));
  // If this runs as root, PostgreSQL runs as another user.
  await chmod(folder, 0o711);
  const home = path.join(folder, 'home');
  const docent = spawn(process.execPath, [path.join(ROOT, 'src/cli/main.ts'), 'start', '--home', home, '--port', '0'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, ...env },
  });
  const stop = async () => {
    docent.kill('SIGTERM');
    if (docent.exitCode === null) await once(docent, 'exit');
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const { apiUrl } = await untilRunning();
    const repository = path.join(folder, 'acme-docs.git');
    const source = path.join(folder, 'acme-server.git');
    await writeSampleSite(repository);
    await writeSampleSource(source);
    return { apiUrl, token: readOperatorToken(home) ?? '', repository, source, stop };
  } catch (err) {
    await stop();
    throw err;
  }

  async function untilRunning(): Promise<RunFile> {
    const deadline = Date.now() + START_MS;
    for (;;) {
      const run = readRunFile(home);
      if (run && (await fetch(`${run.apiUrl}/readyz`).catch(() => null))?.ok) return run;
      if (docent.exitCode !== null) throw new Error('Docent did not start.');
      if (Date.now() > deadline) throw new Error(`Docent did not start within ${START_MS / 60_000} minutes.`);
      await sleep(500);
    }
  }
}
