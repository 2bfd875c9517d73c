import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { makeRepository } from '../../test/support/repository.ts';

const run = promisify(execFile);

type Files = Record<string, string | Buffer>;

/** The page that is changed. */
export const PAGE = 'docs/section-1/page-1.mdx';
export const COMMITS = 200;
const PICTURE_BYTES = 524_288;

/** Repositories of 200 commits as a code host has them: packed, and letting clients leave objects out. */
export const REPOSITORIES = {
  '1,500 files': (repository: string) => makeHosted(repository, pages(1_500), []),
  /** Pictures: 30 MB that are fetched, 30 MB in files too large to be kept, 20 MB in history alone. */
  '80 MB': (repository: string) => {
    const files = {
      ...pages(400),
      ...pictures('kept', 60, PICTURE_BYTES),
      ...pictures('large', 10, 6 * PICTURE_BYTES),
    };
    return makeHosted(repository, files, Object.values(pictures('old', 40, PICTURE_BYTES)));
  },
};

async function makeHosted(repository: string, files: Files, replaced: readonly Buffer[]): Promise<void> {
  await makeRepository(repository, files);
  await addCommits(
    repository,
    Array.from({ length: COMMITS - 1 }, (_, i) => ({
      [PAGE]: `Commit ${i}\n`,
      'images/replaced.png': replaced[i] ?? 'Smaller.\n',
    })),
  );
  await run('git', ['-C', repository, 'repack', '-q', '-a', '-d']);
  await run('git', ['-C', repository, 'config', 'uploadpack.allowFilter', 'true']);
}

/** Adds commits to `main`, each of which writes its files. */
export async function addCommits(repository: string, commits: readonly Files[]): Promise<void> {
  const stream: (string | Buffer)[] = [];
  for (const files of commits) {
    stream.push('commit refs/heads/main\ncommitter A Person <person@example.org> 1700000000 +0000\ndata 5\nMore\n\n');
    if (stream.length === 1) stream.push('from refs/heads/main^0\n');
    for (const [path, content] of Object.entries(files)) {
      stream.push(`M 100644 inline ${path}\ndata ${Buffer.byteLength(content)}\n`, content, '\n');
    }
  }
  const git = spawn('git', ['-C', repository, 'fast-import', '--quiet'], { stdio: ['pipe', 'ignore', 'inherit'] });
  git.stdin.end(Buffer.concat(stream.map((part) => Buffer.from(part))));
  const [code] = (await once(git, 'close')) as [number | null];
  if (code !== 0) throw new Error('git fast-import failed.');
}

/** Pages of some 5 KB. */
export function pages(count: number): Record<string, string> {
  // Numbers, not words: prose made of one small dictionary would compress like nothing that people write.
  const next = random(1);
  const line = () => Array.from({ length: 12 }, () => next().toString(36)).join(' ');
  return Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `docs/section-${i % 40}/page-${i}.mdx`,
      `---\ntitle: Page ${i}\n---\n\n${Array.from({ length: 64 }, line).join('\n')}\n`,
    ]),
  );
}

function pictures(name: string, count: number, bytes: number): Record<string, Buffer> {
  const next = random(name.length);
  return Object.fromEntries(
    Array.from({ length: count }, (_, i) => {
      const content = Buffer.alloc(bytes);
      for (let at = 0; at < bytes; at += 4) content.writeUInt32LE((next() * 2) >>> 0, at);
      return [`images/${name}-${i}.png`, content];
    }),
  );
}

function random(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647);
}
