import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { git, gitWithInput } from '../git-fixture.ts';
import type { Json } from './api-description.ts';
import type { FakeAnswer, FakeRequest } from './fake-host.ts';
import type { FakeRepository } from './fake-repository.ts';

const refuse = (message: string): FakeAnswer => ({
  status: 422,
  body: { message, documentation_url: 'https://docs.github.com/rest' },
});

/**
 * GitHub's Git database API. Its commits are the App's: two of the same content differ. Null for other paths.
 */
export function answerGit(
  { method, body, operation }: Pick<FakeRequest, 'method' | 'body' | 'operation'>,
  rest: string,
  { folder, isVerifying }: FakeRepository,
): FakeAnswer | null {
  const sample = (status: number, more: Json): FakeAnswer => ({
    status,
    body: { ...operation?.sampleAnswer(status), ...more },
  });
  const showRef = (status: number, ref: string, sha: string) =>
    sample(status, { ref, object: { ...operation?.sampleAnswer(status).object, type: 'commit', sha } });

  if (rest === '/git/blobs') {
    const sha = gitWithInput(folder, Buffer.from(body.content, body.encoding), 'hash-object', '-w', '--stdin');
    return sample(201, { sha });
  }
  if (rest === '/git/trees') return sample(201, { sha: writeTree(folder, body) });
  if (rest === '/git/commits') {
    const parents = body.parents.flatMap((parent: string) => ['-p', parent]);
    const raw = git(folder, 'commit-tree', body.tree, ...parents, '-m', body.message);
    // Each time another one, as with a clock.
    const text = git(folder, 'cat-file', 'commit', raw)
      .replace(/^author .*>/m, 'author docent-app[bot] <1+docent-app[bot]@users.noreply.github.com>')
      .replace('\n\n', `\nmade ${process.hrtime.bigint()}\n\n`);
    const sha = gitWithInput(folder, `${text}\n`, 'hash-object', '-t', 'commit', '-w', '--stdin');
    const verification = { ...operation?.sampleAnswer(201).verification, verified: isVerifying, reason: 'unsigned' };
    return sample(201, { sha, message: body.message, verification });
  }
  const [, encoded = ''] = /^\/git\/refs?\/(.+)$/.exec(rest) ?? [];
  const ref = method === 'POST' && rest === '/git/refs' ? body.ref : `refs/${decodeURIComponent(encoded)}`;
  if (!rest.startsWith('/git/ref')) return null;
  const tip = git(folder, 'for-each-ref', '--format=%(objectname)', ref);
  if (method === 'GET') {
    return tip === '' ? { status: 404, body: refuse('Not Found').body } : showRef(200, ref, tip);
  }
  if (method === 'POST' && tip !== '') return refuse('Reference already exists');
  if (method === 'PATCH' && !(body.force ?? false)) {
    if (tip === '') return refuse('Reference does not exist');
    if (git(folder, 'merge-base', tip, body.sha) !== tip) return refuse('Update is not a fast forward');
  }
  git(folder, 'update-ref', ref, body.sha, ...(tip === '' ? [] : [tip]));
  return showRef(method === 'POST' ? 201 : 200, ref, body.sha);
}

function writeTree(cwd: string, { base_tree, tree }: Json): string {
  const index = mkdtempSync(path.join(tmpdir(), 'docent-index-'));
  const run = (input: string, ...args: string[]) =>
    execFileSync('git', args, { cwd, input, env: { ...process.env, GIT_INDEX_FILE: path.join(index, 'index') } });
  try {
    run('', 'read-tree', base_tree);
    const lines = tree.map(({ path: file, mode, sha }: Json) =>
      sha === null ? `0 ${'0'.repeat(40)}\t${file}` : `${mode} ${sha}\t${file}`,
    );
    run(`${lines.join('\n')}\n`, 'update-index', '--index-info');
    return run('', 'write-tree').toString().trim();
  } finally {
    rmSync(index, { recursive: true });
  }
}
