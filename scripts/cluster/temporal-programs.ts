import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from '@docent/servers/temporal/find';

const run = promisify(execFile);

/** The release of Temporal's server, the same that the embedded one holds. */
export const SERVER_VERSION = '1.29.1';
const MODULE = 'go.temporal.io/server';

export interface TemporalPrograms {
  /** Runs one or several of the four services. */
  server: string;
  /** Makes and updates the schema of an SQL database. */
  sqlTool: string;
}

/**
 * Builds Temporal's own server and its `sql` tool from their published source, once: about 3 minutes on two
 * cores.
 */
export async function temporalPrograms(say: (text: string) => void): Promise<TemporalPrograms> {
  const folder = path.join(path.dirname(cacheFolder(process.env)), `server-${SERVER_VERSION}`);
  const programs = { server: path.join(folder, 'server'), sqlTool: path.join(folder, 'sql') };
  if (await bothRun(programs)) return programs;
  await mkdir(path.dirname(folder), { recursive: true });
  const attempt = await mkdtemp(`${folder}.`);
  try {
    for (const [what, name] of [
      ['cmd/server', "Temporal's server"],
      ['cmd/tools/sql', 'its sql tool'],
    ] as const) {
      say(`building ${name} with Go, once (some 3 minutes for both)`);
      await goInstall(`${MODULE}/${what}@v${SERVER_VERSION}`, attempt);
    }
    await rm(folder, { recursive: true, force: true });
    await rename(attempt, folder);
  } finally {
    await rm(attempt, { recursive: true, force: true });
  }
  return programs;
}

async function bothRun({ server, sqlTool }: TemporalPrograms): Promise<boolean> {
  try {
    await access(sqlTool);
    await run(server, ['--version'], { timeout: 20_000 });
    return true;
  } catch {
    return false; // Absent or damaged: both are built again.
  }
}

async function goInstall(what: string, folder: string): Promise<void> {
  const child = spawn('go', ['install', '-ldflags', '-s -w', what], {
    env: { ...process.env, GOBIN: folder, CGO_ENABLED: '0', GOFLAGS: '', GOOS: '', GOARCH: '' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let words = '';
  child.stderr.on('data', (chunk: Buffer) => (words = (words + chunk.toString()).slice(-2_000)));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`\`go install ${what}\` ended with ${code}: ${words}`);
}
