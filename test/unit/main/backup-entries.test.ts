import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pack } from 'tar-stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newMac, requireMac } from '../../../src/operations/backup/archive-mac.ts';
import { readArchive, EntryTree } from '../../../src/operations/backup/archive-reader.ts';
import { ArchiveWriter } from '../../../src/operations/backup/archive-writer.ts';
import { Secret } from '../../../src/platform/secret.ts';
import { Refused } from '@docent/base/refused';

let folder: string;
let made = 0;
const newFile = () => path.join(folder, `${(made += 1)}.docent-backup`);
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'docent-entries-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const NOTES = { rows: {}, missing: [], damaged: [] };
const NOTHING = Buffer.alloc(0);
type Entry = [name: string, type?: 'directory' | 'symlink', linkname?: string];

async function archiveOf(entries: readonly Entry[]): Promise<string> {
  const file = newFile();
  const writer = await ArchiveWriter.create(file);
  for (const [name, type, linkname] of entries)
    await writer.add(name, 0, NOTHING, type ? { type, ...(linkname ? { linkname } : {}) } : {});
  await writer.finish(NOTES);
  return file;
}

describe('a backup is refused by all that read it', () => {
  test.each<[string, Entry[]]>([
    [
      'a link below a link',
      [
        ['home/docs/a', 'symlink', '/etc'],
        ['home/docs/a/b', 'symlink', 'passwd'],
      ],
    ],
    ['a file below a link', [['home/docs/a', 'symlink', '/etc'], ['home/docs/a/cron']]],
    [
      'a folder below a link, deeper',
      [
        ['home/docs/a', 'symlink', '/etc'],
        ['home/docs/a/b/c', 'directory'],
      ],
    ],
    ['a link in place of a folder that has files', [['home/docs/a/cron'], ['home/docs/a', 'symlink', '/etc']]],
    ['a link among page views', [['analytics/wal/x', 'symlink', '/etc/passwd']]],
    ['a link in place of a file of the home', [['home/state.json', 'symlink', '/etc/passwd']]],
    ["a link in place of Temporal's database", [['home/temporal/temporal.db', 'symlink', '/etc/passwd']]],
    ['a link in place of a repository', [['home/docs', 'symlink', '/srv/docs']]],
    ['a link in place of rows', [['tables/jobs/000001.gz', 'symlink', '/etc/passwd']]],
    ['the same name twice', [['home/docs/a'], ['home/docs/a']]],
    ['the same name twice, as file and folder', [['home/docs/a'], ['home/docs/a', 'directory']]],
    ['a name of 10,000 folders', [[`home/docs/${'a/'.repeat(10_000)}b`]]],
  ])('with %s', async (_what, entries) => {
    await expect(readArchive(await archiveOf(entries), async () => {})).rejects.toMatchObject({
      code: 'backup_damaged',
    });
  });

  test.each(['link', 'character-device', 'fifo'] as const)('with an entry of the kind %s', async (type) => {
    const forging = pack();
    forging.entry({ name: 'home/a', type, linkname: 'home/secret-key', size: 0 });
    forging.finalize();
    const bytes = Buffer.concat(await Array.fromAsync(forging as AsyncIterable<Buffer>));
    const whole = await archiveOf([]);
    const trailer = (await readFile(whole)).subarray(-512);
    const file = newFile();
    await writeFile(file, Buffer.concat([bytes, trailer]));
    await expect(readArchive(file, async () => {})).rejects.toThrow(`is a ${type}`);
  });

  test('with an entry of a kind that tar programs expand: a sparse file', async () => {
    const forging = pack();
    forging.entry({ name: 'home/docs/a' }, '');
    forging.finalize();
    const bytes = Buffer.concat(await Array.fromAsync(forging as AsyncIterable<Buffer>));
    bytes[156] = 'S'.charCodeAt(0);
    bytes.fill(' ', 148, 156);
    const sum = bytes.subarray(0, 512).reduce((total, byte) => total + byte, 0);
    bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
    const trailer = (await readFile(await archiveOf([]))).subarray(-512);
    const file = newFile();
    await writeFile(file, Buffer.concat([bytes, trailer]));
    await expect(readArchive(file, async () => {})).rejects.toThrow('is a file of an unknown kind');
  });
});

test.each([
  ['case', 'home/docs/A', 'home/docs/a/cron'],
  ['form of Unicode', 'home/docs/\u00e9', 'home/docs/e\u0301/cron'],
])('where the file system does not tell it apart, with a file below a link in another %s', (_what, link, below) => {
  const add = (ignoresCase: boolean) => () => {
    const tree = new EntryTree('a backup', ignoresCase);
    tree.add({ name: link, linkname: '/etc' }, 'symlink');
    tree.add({ name: below, linkname: null }, 'file');
  };
  expect(add(true)).toThrow(expect.objectContaining({ code: 'backup_damaged' }));
  expect(add(false)).not.toThrow();
});

test('links that lead anywhere are read if nothing is below them', async () => {
  const file = await archiveOf([['home/docs', 'directory'], ['home/docs/a', 'symlink', '../b'], ['home/docs/ab']]);
  expect((await readArchive(file, async () => {}))?.entries.size).toBe(3);
});

describe('a keyed checksum', () => {
  const passphrase = new Secret('correct horse battery');

  // Passphrases are slow to try on purpose.
  test('is of this passphrase and of these bytes alone', { timeout: 30_000 }, async () => {
    const { mac, key } = await newMac(passphrase);
    const file = newFile();
    const writer = await ArchiveWriter.create(file, key);
    await writer.add('home/docs/a', 4, Buffer.from('text'));
    await writer.finish(NOTES);
    await requireMac(file, passphrase, mac);
    await expect(requireMac(file, new Secret('another passphrase'), mac)).rejects.toThrow(Refused);
    // Its SHA-256 alone does not expose a forged one.
    const forged = await archiveOf([['home/docs/a']]);
    await expect(requireMac(forged, passphrase, mac)).rejects.toThrow(/made without a passphrase/);
    const [bytes, trailer] = [await readFile(forged), (await readFile(file)).subarray(-512)];
    await writeFile(forged, Buffer.concat([bytes.subarray(0, -512), trailer]));
    await expect(requireMac(forged, passphrase, mac)).rejects.toThrow(/was modified/);
    await appendFile(file, 'x');
    await expect(requireMac(file, passphrase, mac)).rejects.toMatchObject({ code: 'backup_damaged' });
  });
});
