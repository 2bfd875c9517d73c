import { expect, test } from 'vitest';
import { repositoryPath } from '@docent/code-hosts/repository-url';

test.each([
  ['https://github.com', 'https://github.com/acme/docs', 'acme/docs'],
  ['https://github.com', 'https://github.com/acme/docs.git/', 'acme/docs'],
  ['https://git.example.com/code', 'https://git.example.com/code/a/b/c.git', 'a/b/c'],
  ['https://github.com', 'https://GITHUB.com/acme/docs', 'acme/docs'],
])('the repository below %s at %s', (host, url, path) => expect(repositoryPath(host, url)).toBe(path));

test.each([
  'https://github.com.evil.example/acme/docs',
  'https://user:secret@github.com/acme/docs',
  'https://github.com/acme',
  'https://github.com/acme/../other/x%2e%2e',
  'https://github.com/acme/docs?x=1',
  'http://github.com/acme/docs',
  'git@github.com:acme/docs.git',
  'https://github.com/acme/%2e%2e%2fdocs',
])('no credential goes to %s', (url) => {
  expect(() => repositoryPath('https://github.com', url)).toThrow(/URL/);
});
