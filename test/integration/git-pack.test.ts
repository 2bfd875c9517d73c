import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { objectId, type ObjectType } from '@docent/base/files/object-id';
import {
  commitFiles,
  git,
  gitBytes,
  gitWithInput,
  makeWorkTree,
  manyPages,
  noise,
  temporaryFolder,
} from '../support/git-fixture.ts';
import { times } from '../support/how-often.ts';
import { packOf, readPack as read } from '../support/packs.ts';

const folder = temporaryFolder();
const repo = path.join(folder.path, 'repo');

beforeAll(() => {
  makeWorkTree(repo, { ...manyPages(60), 'big.txt': 'line of text\n'.repeat(20_000), 'noise.bin': noise(300_000) });
  commitFiles(repo, { 'big.txt': `${'line of text\n'.repeat(20_000)}and one more\n` });
  commitFiles(repo, { ...manyPages(60, 41), 'empty.md': '' });
});
afterAll(() => folder.remove());

let packNo = 0;

/** All objects of the repository as native git lists them. */
function listed(): Map<string, { type: string; size: number }> {
  const lines = git(repo, 'cat-file', '--batch-all-objects', '--batch-check').split('\n');
  return new Map(
    lines.map((line) => line.split(' ')).map(([id, type, size]) => [id!, { type: type!, size: Number(size) }]),
  );
}

function packAll(...args: string[]): Buffer {
  const name = path.join(folder.path, `p${(packNo += 1)}`);
  gitWithInput(repo, [...listed().keys()].join('\n'), 'pack-objects', '-q', '--window=20', ...args, name);
  const file = readdirSync(folder.path).find(
    (entry) => entry.startsWith(`${path.basename(name)}-`) && entry.endsWith('.pack'),
  );
  return readFileSync(path.join(folder.path, file!));
}

describe('reading packs that native git made', () => {
  test.each([
    ['offset deltas', ['--delta-base-offset', '--depth=50']],
    ['reference deltas', ['--depth=50']],
    ['very long chains', ['--delta-base-offset', '--depth=4000', '--window=100']],
    ['no deltas', ['--depth=0']],
  ])('%s', async (_, args) => {
    const pack = packAll(...args);
    const expected = listed();
    for (const limits of [{}, { cacheBytes: 1 }]) {
      const { objects, summary } = await read(pack, limits);
      expect(summary).toMatchObject({ passedOver: 0, baseless: 0 });
      expect([...objects.keys()].toSorted()).toEqual([...expected.keys()].toSorted());
      for (const [id, { type, content }] of objects) {
        expect({ type, size: content.length }).toEqual(expected.get(id));
        expect(objectId(type, content)).toBe(id);
      }
    }
  });

  test('thin packs, with bases from elsewhere', async () => {
    const revs = ['pack-objects', '--thin', '--stdout', '-q', '--revs', '--delta-base-offset'];
    const pack = gitBytes(repo, 'HEAD\n^HEAD~1\n', ...revs);
    const without = await read(pack);
    expect(without.summary.baseless).toBeGreaterThan(0);
    const withBases = await read(pack, {
      findBase: (id) => {
        const type = git(repo, 'cat-file', '-t', id) as ObjectType;
        return { type, id, content: gitBytes(repo, '', 'cat-file', type, id) };
      },
    });
    expect(withBases.summary.baseless).toBe(0);
    const expected = git(repo, 'rev-list', '--objects', 'HEAD', '^HEAD~1').split('\n').map((line) => line.slice(0, 40)); // oxfmt-ignore
    expect([...withBases.objects.keys()].toSorted()).toEqual(expected.toSorted());
  });

  test('skips too large objects, and those that depend on them', async () => {
    const pack = packAll('--delta-base-offset');
    const { objects, summary } = await read(pack, { objectBytes: 200_000 });
    const large = [...listed()].filter(([, { size }]) => size > 200_000).map(([id]) => id);
    expect(large).toHaveLength(3);
    for (const id of large) expect(objects.has(id)).toBe(false);
    expect(summary.passedOver).toBe(3);
    expect(objects.size).toBe(listed().size - 3);
  });
});

describe('a pack of native git with a byte that is changed', () => {
  test('never crash or hang the reader, whatever byte is changed', async () => {
    const pack = packAll('--delta-base-offset');
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: pack.length - 21 }),
        fc.integer({ min: 1, max: 255 }),
        async (at, flip) => {
          const changed = Buffer.from(pack);
          changed[at]! ^= flip;
          try {
            await read(changed, { objectBytes: 1_000_000, totalBytes: 50_000_000 });
          } catch (err) {
            expect(err).toMatchObject({ code: 'object_bad' });
          }
        },
      ),
      { numRuns: times(40) },
    );
  });
});

test('native git accepts packs written by Docent', async () => {
  const target = path.join(folder.path, 'target.git');
  git('/', 'init', '-q', '--bare', target);
  const contents = [Buffer.alloc(0), noise(100_000), Buffer.from('x'.repeat(20)), Buffer.from('twice'), Buffer.from('twice')]; // oxfmt-ignore
  gitWithInput(target, await packOf(contents), 'index-pack', '--stdin', '--strict');
  for (const content of contents) git(target, 'cat-file', '-e', objectId('blob', content));
});
