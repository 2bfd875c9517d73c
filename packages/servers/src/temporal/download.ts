import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { chmod, mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { promisify } from 'node:util';
import { networkReason } from '@docent/base/net/network-reason';
import { checkBinary, CLI_VERSION } from './version.ts';

const run = promisify(execFile);

/** The official archives: `<base>` followed by the part from {@link archiveUrl}. */
export const DOWNLOAD_BASES: readonly string[] = ['https://temporal.download', 'https://github.com/temporalio/cli'];

/** The longest wait per address for an answer's beginning: machines may have no network. */
const CONNECT_MS = 3_000;
/** A transfer without progress for this long is aborted. */
const STALL_MS = 20_000;

export interface GetJob {
  /** The file to make. It appears whole and executable, or not at all. */
  destination: string;
  onProgress: (text: string) => void;
  signal?: AbortSignal;
}

/** Downloads the official archive and puts its `temporal` in place once that has been seen to run. */
export async function download(job: GetJob & { bases: readonly string[] }): Promise<void> {
  const platform = { darwin: 'darwin', linux: 'linux' }[process.platform as string];
  const arch = { x64: 'amd64', arm64: 'arm64' }[process.arch as string];
  if (platform === undefined || arch === undefined)
    throw new Error(`there is no official archive for ${process.platform} on ${process.arch}`);

  const failures: string[] = [];
  for (const base of job.bases) {
    const url = archiveUrl(base, platform, arch);
    try {
      await downloadFrom(url, job);
      return;
    } catch (err) {
      job.signal?.throwIfAborted();
      failures.push(`${new URL(url).host}: ${networkReason(err)}`);
    }
  }
  throw new Error(failures.join('; '));
}

function archiveUrl(base: string, platform: string, arch: string): string {
  return base.includes('github.com')
    ? `${base}/releases/download/v${CLI_VERSION}/temporal_cli_${CLI_VERSION}_${platform}_${arch}.tar.gz`
    : `${base}/cli/archive/v${CLI_VERSION}?platform=${platform}&arch=${arch}`;
}

async function downloadFrom(url: string, { destination, onProgress, signal }: GetJob): Promise<void> {
  onProgress(`downloading the Temporal server from ${new URL(url).host}`);
  const giveUp = new AbortController();
  const stop = signal ? AbortSignal.any([signal, giveUp.signal]) : giveUp.signal;
  let timer = setTimeout(() => giveUp.abort(new Error(`no response within ${CONNECT_MS / 1000} s`)), CONNECT_MS);
  const folder = await mkdtemp(path.join(path.dirname(destination), 'download-'));
  try {
    const response = await fetch(url, { signal: stop });
    if (!response.ok || !response.body) throw new Error(`it returned ${response.status} ${response.statusText}`);
    const total = Number(response.headers.get('content-length') ?? 0);
    let received = 0;
    const meter = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        clearTimeout(timer);
        timer = setTimeout(() => giveUp.abort(new Error('the transfer stalled')), STALL_MS);
        received += chunk.length;
        const share = total > 0 ? ` of ${Math.round(total / 1e6)}` : '';
        onProgress(`downloading the Temporal server: ${Math.round(received / 1e6)}${share} MB`);
        done(null, chunk);
      },
    });
    const archive = path.join(folder, 'archive.tar.gz');
    await pipeline(Readable.fromWeb(response.body as ReadableStream), meter, createWriteStream(archive), {
      signal: stop,
    });
    await run('tar', ['-xzf', archive, '-C', folder, 'temporal'], { timeout: 120_000 });
    const binary = path.join(folder, 'temporal');
    await chmod(binary, 0o755);
    await checkBinary(binary);
    await rename(binary, destination);
  } finally {
    clearTimeout(timer);
    await rm(folder, { recursive: true, force: true });
  }
}
