import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { FakeHost } from './fake-host/fake-host.ts';
import { FakeGitea } from './fake-host/gitea.ts';
import { FakeGitHub } from './fake-host/github.ts';
import { FakeGitLab } from './fake-host/gitlab.ts';

const TOKEN = `ghp_${'a1B2'.repeat(9)}`;
const SCOPES = { github: ['repo'], gitlab: ['api'], gitea: ['write:repository', 'read:user', 'write:issue'] };
const SHOWN: Record<string, readonly string[]> = {
  github: ['https://github.com', 'https://github.example.com'],
  gitlab: ['https://gitlab.example.com'],
  gitea: ['https://codeberg.org'],
};

/**
 * The code hosts that the docs name, as fakes, each with `acme/docs`; and the files with credentials for
 * them.
 */
export class DocsHosts {
  readonly #hosts: FakeHost[] = [];

  static async start(files: Record<string, string>, folder: string): Promise<DocsHosts> {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    });
    writeFileSync(path.join(folder, 'docent.private-key.pem'), privateKey);
    writeFileSync(path.join(folder, 'token.txt'), `${TOKEN}\n`);
    const github = new FakeGitHub();
    const permissions = { contents: 'write', pull_requests: 'write', metadata: 'read' };
    github.app = { id: '12345', publicKey, permissions, tokenMs: 3_600_000, minted: [] };
    const all = new DocsHosts();
    for (const kind of [github, new FakeGitLab(), new FakeGitea()]) {
      const host = await FakeHost.start(kind);
      host.tokens.set(TOKEN, { account: 'acme-docent', scopes: SCOPES[kind.name], contents: 'write', pulls: 'write' });
      host.addRepository('acme/docs', files);
      all.#hosts.push(host);
    }
    return all;
  }

  get github(): { url: string; credential: string } {
    return { url: this.#hosts[0]?.url ?? '', credential: TOKEN };
  }

  /** Commands with the fakes' addresses in them. */
  replaced(text: string): string {
    let replaced = text.replaceAll(/--kind github(?! --host-url)/g, '--kind github --host-url https://github.com');
    for (const { kind, url } of this.#hosts) {
      for (const shown of SHOWN[kind.name] ?? []) replaced = replaced.replaceAll(shown, url);
    }
    return replaced;
  }

  async close(): Promise<void> {
    await Promise.all(this.#hosts.map((host) => host.close()));
  }
}
