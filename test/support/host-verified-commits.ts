import { generateKeyPairSync } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { FakeGitHub } from './fake-host/github.ts';
import type { FakeRepository } from './fake-host/fake-repository.ts';
import { git } from './git-fixture.ts';
import type { HostBench } from './host-bench.ts';

const authors = ({ folder }: FakeRepository, branch: string) =>
  git(folder, 'log', '--format=%an', `main..${branch}`).split('\n');

/** Commits that GitHub makes and verifies. */
export function verifiedCommitTests(benchOf: () => HostBench): void {
  const asApp = () => benchOf().project({ verifiedCommits: true }, 'app');

  describe('with verified commits', () => {
    beforeAll(async () => {
      const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
      const permissions = { contents: 'write', pull_requests: 'write', metadata: 'read' };
      const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
      (benchOf().host.kind as FakeGitHub).app = {
        id: '42',
        publicKey: pem,
        permissions,
        tokenMs: 3_600_000,
        minted: [],
      };
      const credential = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
      expect(await benchOf().addHost(credential, 'app', '42')).toMatchObject({ status: 201 });
    });

    test('GitHub makes the commits of the App, and a follow-up continues the branch', async () => {
      const project = await asApp();
      const { repository } = project;
      git(repository.folder, 'symbolic-ref', 'HEAD', 'refs/heads/main');
      const job = await project.run();
      expect(job).toMatchObject({ status: 'completed', prLink: expect.any(String) });
      await project.say(job.id);
      expect(await project.settled(job.id)).toMatchObject({ status: 'completed' });
      const branch = `docent/${job.id}`;
      expect(authors(repository, branch)).toEqual(['docent-app[bot]', 'docent-app[bot]']);
      expect(repository.read(branch, 'guides/start.mdx')).toContain('Set up');
      expect(repository.pulls).toHaveLength(1);
      expect(benchOf().host.requests.some((line) => line.includes(`/${repository.path}.git/git-receive-pack`))).toBe(
        false,
      );
      git(repository.folder, 'fsck', '--strict', '--no-dangling');
    });

    test('a moved page keeps its mode, and a deleted one is gone', async () => {
      const project = await asApp();
      const { repository } = project;
      const job = await project.run('Rename page `guides/start` to `guides/begin`');
      expect(job).toMatchObject({ status: 'completed' });
      const files = git(repository.folder, 'ls-tree', '-r', '--name-only', `docent/${job.id}`).split('\n');
      expect(files).toContain('guides/begin.mdx');
      expect(files).not.toContain('guides/start.mdx');
    });

    test('a lost answer to each request leaves one commit', async () => {
      const project = await asApp();
      const { repository } = project;
      for (const rest of ['blobs', 'trees', 'commits', 'refs'])
        benchOf().host.fault(new RegExp(`^POST /repos/${repository.path}/git/${rest}$`), {
          answer: 'reset',
          when: 'after',
        });
      const job = await project.run();
      expect(job).toMatchObject({ status: 'completed' });
      expect(authors(repository, `docent/${job.id}`)).toEqual(['docent-app[bot]']);
      expect(repository.pulls).toHaveLength(1);
    });

    test('what a person pushed in the meantime stays', async () => {
      const project = await asApp();
      const { repository } = project;
      const job = await project.run();
      const branch = `docent/${job.id}`;
      benchOf().host.after(new RegExp(`^POST /repos/${repository.path}/git/commits$`), 1, () => {
        repository.commitOn(branch);
      });
      await project.say(job.id);
      expect(await project.settled(job.id)).toMatchObject({ status: 'completed' });
      const [newest, person, first] = authors(repository, branch);
      expect([newest, first]).toEqual(['docent-app[bot]', 'docent-app[bot]']);
      expect(person).not.toBe('docent-app[bot]');
    });

    test('a commit that GitHub does not verify ends the job with the reason', async () => {
      const unverified = await asApp();
      unverified.repository.isVerifying = false;
      expect((await unverified.run()).error).toMatchObject({
        code: 'push_refused',
        message: expect.stringContaining('does not mark the commit as verified'),
      });
      expect(unverified.repository.branches()).toEqual(['main']);
    });

    test('are refused where no App is, before any job', async () => {
      const settings = { verifiedCommits: true };
      const project = await benchOf().project();
      const change = (id: string) =>
        benchOf().docent.client.PATCH('/v1/projects/{projectId}', {
          params: { path: { projectId: id } },
          body: { settings },
        });
      const repository = benchOf().host.addRepository('acme/docs-unverified', { 'index.mdx': 'Hello' });
      for (const { response, error } of [
        await change(project.id),
        await benchOf().createProject('unverified', repository.path, { settings, host: benchOf().hostId }),
      ]) {
        expect([response.status, error?.code]).toEqual([400, 'repository_refused']);
        expect(error?.error ?? JSON.stringify(error)).toContain('verified commits need GitHub and a GitHub App');
      }
      // With an App, the project cannot move to a host without one.
      const app = await asApp();
      const moved = await benchOf().docent.client.PATCH('/v1/projects/{projectId}', {
        params: { path: { projectId: app.id } },
        body: { host: benchOf().hostId, repository: `${benchOf().host.url}/${app.repository.path}` },
      });
      expect(moved.error?.code).toBe('repository_refused');
    });
  });
}
