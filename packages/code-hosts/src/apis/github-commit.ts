import { z } from 'zod';
import type { CommitPlan } from '@docent/git/contract';
import type { HostCommit, HostCommitInput } from '../remote-api.ts';
import { orMissing, type GitHubClient } from './github-client.ts';
import { RequestError } from '@octokit/request-error';

const Sha = z.object({ sha: z.string() });
const Commit = z.object({ sha: z.string(), verification: z.object({ verified: z.boolean(), reason: z.string() }) });
const Ref = z.object({ object: z.object({ sha: z.string() }) });

/**
 * Creates a commit with GitHub's API. Without an author it is the App's, and GitHub signs it
 * (https://docs.github.com/en/authentication/managing-commit-signature-verification/about-commit-signature-verification#signature-verification-for-bots).
 * If the process dies before the branch moves, unused objects remain, and a repeat creates the commit again.
 */
export async function commitOnGitHub(
  rest: GitHubClient['rest'],
  at: { owner: string; repo: string },
  { plan, branch, expectedTip }: HostCommitInput,
): Promise<HostCommit> {
  if ((await tip()) !== expectedTip) return { status: 'stale' };
  const tree = await createTree(rest, at, plan);
  if (tree !== plan.tree) throw new Error(`GitHub made the tree ${tree} of the files of ${plan.tree}.`);
  const made = await rest.git.createCommit({ ...at, message: plan.message, tree, parents: [plan.parent] });
  const { sha, verification } = Commit.parse(made.data);
  if (!verification.verified) {
    return { status: 'refused', reason: `GitHub does not mark the commit as verified (${verification.reason})` };
  }
  try {
    await moveBranch(sha);
  } catch (err) {
    if (!(err instanceof RequestError) || err.status !== 422) throw err;
    return (await tip()) === expectedTip ? { status: 'refused', reason: err.message } : { status: 'stale' };
  }
  return { status: 'committed', commit: sha };

  async function tip(): Promise<string | null> {
    // This address ignores branches that only begin like this one.
    const found = await orMissing<{ data: unknown }>(rest.git.getRef({ ...at, ref: `heads/${branch}` }), [404]);
    return found && Ref.parse(found.data).object.sha;
  }

  /** Never forced: a branch that moved on since refuses. */
  async function moveBranch(to: string): Promise<void> {
    if (expectedTip === null) await rest.git.createRef({ ...at, ref: `refs/heads/${branch}`, sha: to });
    else await rest.git.updateRef({ ...at, ref: `heads/${branch}`, sha: to, force: false });
  }
}

async function createTree(
  rest: GitHubClient['rest'],
  at: { owner: string; repo: string },
  { baseTree, files }: CommitPlan,
): Promise<string> {
  const tree = [];
  for (const { path, mode, id, bytes } of files) {
    if (bytes) {
      const blob = { ...at, content: Buffer.from(bytes).toString('base64'), encoding: 'base64' };
      const made = Sha.parse((await rest.git.createBlob(blob)).data).sha;
      if (made !== id) throw new Error(`GitHub stored ${path} as ${made}, not ${id}.`);
    }
    tree.push({ path, mode: z.enum(['100644', '100755']).parse(mode), type: 'blob' as const, sha: id });
  }
  return Sha.parse((await rest.git.createTree({ ...at, base_tree: baseTree, tree })).data).sha;
}
