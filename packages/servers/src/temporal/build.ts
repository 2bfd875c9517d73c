import { spawn } from 'node:child_process';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { GetJob } from './download.ts';
import { checkBinary, CLI_VERSION } from './version.ts';
import { codeOf } from '@docent/base/thrown';

const MODULE = `github.com/temporalio/cli/cmd/temporal@v${CLI_VERSION}`;

/** A build takes minutes; one that takes this long is stuck. */
const BUILD_LIMIT_MS = 45 * 60_000;

/** Builds the Temporal CLI with `go` and installs it once it runs. */
export async function buildWithGo({
  destination,
  onProgress,
  signal,
  env,
}: GetJob & { env: NodeJS.ProcessEnv }): Promise<void> {
  const folder = await mkdtemp(path.join(path.dirname(destination), 'build-'));
  try {
    const limit = AbortSignal.timeout(BUILD_LIMIT_MS);
    await goInstall(folder, env, onProgress, signal ? AbortSignal.any([signal, limit]) : limit);
    const binary = path.join(folder, 'temporal');
    await checkBinary(binary);
    await rename(binary, destination);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The last words of a failed build that are shown. */
const TAIL_LINES = 5;

function goInstall(
  folder: string,
  env: NodeJS.ProcessEnv,
  onProgress: (text: string) => void,
  signal: AbortSignal,
): Promise<void> {
  const started = performance.now();
  let modules = 0;
  let packages = 0;
  let doing = 'starting';
  const tail: string[] = [];
  const report = () =>
    onProgress(
      `building the Temporal server with Go (only once, about 3 to 6 minutes; ${elapsed(started)}; ` +
        `${modules} modules fetched, ${packages} packages compiled; ${doing})`,
    );
  return new Promise((resolve, reject) => {
    const child = spawn('go', ['install', '-v', '-ldflags', '-s -w', MODULE], {
      // Without C, so for any machine of this kind, whatever the developer's Go settings.
      env: { ...env, GOBIN: folder, CGO_ENABLED: '0', GOFLAGS: '', GOOS: '', GOARCH: '' },
      stdio: ['ignore', 'ignore', 'pipe'],
      signal,
    });
    createInterface({ input: child.stderr }).on('line', (line) => {
      tail.push(line);
      if (tail.length > TAIL_LINES) tail.shift();
      const fetched = /^go: downloading (\S+)/.exec(line)?.[1];
      if (fetched) {
        modules += 1;
        doing = `fetching ${fetched}`;
      } else if (/^[\w./-]+$/.test(line)) {
        packages += 1;
        doing = `compiling ${line}`;
      }
      report();
    });
    const clock = setInterval(report, 1_000);
    child.once('error', (err) => {
      clearInterval(clock);
      const isMissing = codeOf(err) === 'ENOENT';
      reject(isMissing ? new Error('`go` is not on the PATH', { cause: err }) : err);
    });
    child.once('close', (code) => {
      clearInterval(clock);
      if (code === 0) resolve();
      else reject(new Error(`\`go install ${MODULE}\` exited with ${code}: ${tail.join(' | ')}`));
    });
  });
}

function elapsed(since: number): string {
  const seconds = Math.floor((performance.now() - since) / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
