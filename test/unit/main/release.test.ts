import { expect, test } from 'vitest';
import {
  productionLock,
  publishedManifest,
  reproducibleBom,
  type Lock,
  type Manifest,
} from '../../../scripts/package/published.ts';
import { releaseNotes, releaseProblems } from '../../../scripts/package/release-notes.ts';

const CHANGELOG = `# Changelog

## [Unreleased]

## [1.2.0] - 2026-11-23

### Added

- Something.

## [1.1.0] - 2026-10-01

- Older.
`;

test('tag, packages and changelog of a release have the same version', () => {
  const repositories = ['git+https://git.acme.test/docent.git'];
  const versions = { server: '1.2.0', client: '1.2.0', repositories };
  expect(releaseProblems('v1.2.0', versions, CHANGELOG)).toEqual([]);
  expect(releaseNotes(CHANGELOG, '1.2.0')).toBe('### Added\n\n- Something.\n');
  const [tag] = releaseProblems('v1.3.0', versions, CHANGELOG);
  expect(tag).toBe('The tag is v1.3.0, and package.json says 1.2.0: v1.2.0 is wanted.');
  expect(releaseProblems('v1.2.0', { ...versions, client: '1.1.0' }, CHANGELOG)).toHaveLength(1);
  expect(releaseProblems('v1.2.0', versions, CHANGELOG.replace(' - 2026-11-23', ''))).toHaveLength(1);
  expect(releaseProblems('v1.3.0', { ...versions, server: '1.3.0', client: '1.3.0' }, CHANGELOG)).toEqual([
    'CHANGELOG.md has nothing under "## [1.3.0]": move there what is under "## [Unreleased]".',
  ]);
  const placeholder = ['git+https://git.example.com/acme/docent.git'];
  expect(releaseProblems('v1.2.0', { ...versions, repositories: placeholder }, CHANGELOG)).toEqual([
    'Put the address of your repository into homepage, bugs and repository of both package.json.',
  ]);
});

const MANIFEST: Manifest = {
  name: '@docent/server',
  version: '1.2.0',
  files: ['bin'],
  scripts: { prepare: 'node scripts/x.ts' },
  workspaces: ['client'],
  dependencies: { ajv: '^8.0.0', koa: '^3.3.0' },
  devDependencies: { vitest: '^5.1.1' },
  optionalDependencies: {},
  engines: { node: '>=20' },
  allowScripts: { node: true, koa: true },
};
const LOCK: Lock = {
  name: '@docent/server',
  version: '1.2.0',
  lockfileVersion: 3,
  packages: {
    '': {},
    client: {},
    'node_modules/@docent/client': { link: true },
    'node_modules/ajv': { version: '8.0.0' },
    'node_modules/ms': { version: '2.0.0' },
    'node_modules/koa': { version: '3.3.1', integrity: 'sha512-a', dependencies: { accepts: '1', ms: '2' } },
    'node_modules/koa/node_modules/accepts': { version: '1.0.0', optionalDependencies: { fast: '1' } },
    'node_modules/accepts': { version: '2.0.0' },
    'node_modules/fast': { version: '1.0.0' },
    'node_modules/vitest': { version: '5.1.1', dev: true },
  },
};

test('an operator installs the versions that were tested, and neither what only a checkout needs nor what is in the program’s files', () => {
  const manifest = publishedManifest(MANIFEST, ['koa']);
  expect(manifest).toMatchObject({
    files: ['bin', 'npm-shrinkwrap.json'],
    engines: { node: '>=24' },
    allowScripts: { koa: true },
  });
  expect(manifest.allowScripts, 'scripts of what is installed alone').toEqual({ koa: true });
  expect(Object.keys(manifest)).not.toEqual(expect.arrayContaining(['devDependencies']));
  expect(Object.keys(manifest)).not.toEqual(expect.arrayContaining(['workspaces']));
  const { packages } = productionLock(LOCK, manifest);
  expect(Object.keys(packages)).toEqual([
    '',
    'node_modules/ms',
    'node_modules/koa',
    'node_modules/koa/node_modules/accepts',
    'node_modules/fast',
  ]);
  expect(packages['']).toMatchObject({ version: '1.2.0', dependencies: { koa: '^3.3.0' } });
  expect(packages['node_modules/koa']).toMatchObject({ version: '3.3.1', integrity: 'sha512-a' });
  expect(() => publishedManifest(MANIFEST, ['express'])).toThrow('express has to be in the dependencies');
});

const made = (serialNumber: string, timestamp: string, name = 'koa') =>
  reproducibleBom(JSON.stringify({ serialNumber, metadata: { timestamp }, components: [{ name }] }), new Date(0));

test('a bill of materials depends on what it lists, not on when it was made', () => {
  expect(made('urn:uuid:1', '2026-11-23T00:00:00Z')).toBe(made('urn:uuid:2', '2026-11-24T00:00:00Z'));
  const { serialNumber } = JSON.parse(made('', '')) as { serialNumber: string };
  expect(serialNumber).toMatch(/^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/);
  expect(made('', '', 'ajv')).not.toContain(serialNumber);
});
