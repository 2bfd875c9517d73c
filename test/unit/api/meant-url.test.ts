import { expect, test } from 'vitest';
import { httpsUrl, urlOfPage } from '../../../src/api/routes/meant-url.ts';

test.each([
  ['git@github.com:acme/docs.git', 'https://github.com/acme/docs'],
  ['ssh://git@git.example.com:2222/acme/docs.git', 'https://git.example.com/acme/docs'],
  ['git://github.com/acme/docs', 'https://github.com/acme/docs'],
  ['github.com/acme/docs/', 'https://github.com/acme/docs'],
  ['org-1@gitlab.example.com:group/sub/docs.git', 'https://gitlab.example.com/group/sub/docs'],
])('%s is written as a URL', (address, url) => expect(httpsUrl(address)).toBe(url));

test.each(['acme/docs', './docs', '~/docs', 'C:\\docs', 'file:///srv/docs.git', 'ftp://example.com/a/b', 'docs', ''])(
  '%j stands for no URL',
  (address) => expect(httpsUrl(address)).toBeNull(),
);

const HOSTS = {
  github: { kind: 'github', webUrl: 'https://github.com' },
  gitlab: { kind: 'gitlab', webUrl: 'https://git.example.com/code' },
  gitea: { kind: 'gitea', webUrl: 'https://gitea.example.com' },
};

test.each<[keyof typeof HOSTS, string, string | null]>([
  ['github', 'https://github.com/acme/docs/tree/main/docs', 'https://github.com/acme/docs'],
  ['github', 'https://github.com/acme/docs/blob/main/docs/a.md#L3', 'https://github.com/acme/docs'],
  ['github', 'https://github.com/acme/docs?tab=readme-ov-file', 'https://github.com/acme/docs'],
  ['gitlab', 'https://git.example.com/code/a/b/c/-/tree/main/docs', 'https://git.example.com/code/a/b/c'],
  ['gitea', 'https://gitea.example.com/acme/docs/src/branch/main/docs', 'https://gitea.example.com/acme/docs'],
  ['github', 'https://github.com/acme/docs.git', null],
  ['github', 'https://github.com/acme/docs/', null],
  ['gitlab', 'https://git.example.com/code/a/b/tree/c', null],
  ['gitlab', 'https://elsewhere.example.com/a/b/-/tree/main', null],
])('on %s, the repository of the page %s is named', (host, url, repository) => {
  expect(urlOfPage(HOSTS[host], url)).toBe(repository);
});
