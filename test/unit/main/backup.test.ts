import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pack } from 'tar-stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AnalyticsFolder } from '../../../src/analytics/storage/analytics-folder.ts';
import { deleteDeadFolders } from '../../../src/analytics/storage/folder-claim.ts';
import { BackupStage } from '../../../src/analytics/maintenance/backup-stage.ts';
import { bytesOf, readArchive } from '../../../src/operations/backup/archive-reader.ts';
import { ArchiveWriter } from '../../../src/operations/backup/archive-writer.ts';
import { placeOf } from '../../../src/operations/backup/places.ts';
import { openKeys, sealKeys } from '../../../src/operations/backup/sealed-keys.ts';
import { Secret } from '../../../src/platform/secret.ts';
import { parentsFirst } from '../../../src/store/installation/table-copies.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'docent-archive-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const NOTES = { rows: {}, missing: [], damaged: [] };

test('nothing that a forged backup says is written outside of what is restored, nor over what Docent makes itself', () => {
  const target = { home: '/home/new', analyticsRoot: '/home/new/analytics' };
  const forged = [
    '../etc/passwd',
    '/etc/passwd',
    'home/../../etc/passwd',
    'home/docs/../../x',
    'home/docs//x',
    'home/a\\..\\b',
    'home/secret-key',
    'home/operator-token',
    'home/postgres/data/postgresql.conf',
    'home/lock',
    'home',
    'analytics/wal/../../x',
    'analytics/tmp/x',
    'analytics/../x',
    'tables/../x/000001.gz',
    'tables/jobs/1.gz',
    'else/x',
    '',
  ];
  for (const name of forged)
    expect(() => placeOf(name, target), name).toThrow(expect.objectContaining({ code: 'backup_damaged' }));
  expect(placeOf('home/demo-docs/.git/HEAD', target)).toMatchObject({ path: '/home/new/demo-docs/.git/HEAD' });
  expect(placeOf('home/demo-docs/.git/HEAD', { ...target, home: null })).toEqual({ kind: 'nowhere' });
  expect(placeOf('analytics/files/p/events/x.parquet', target)).toMatchObject({
    path: '/home/new/analytics/files/p/events/x.parquet',
  });
});

test('a log that was cut off while it was read is filled up, and what is written is read back, names of any length too', async () => {
  const file = path.join(folder, 'one');
  const writer = await ArchiveWriter.create(file);
  const long = `home/docs/${'é'.repeat(90)}/${'x'.repeat(200)}.md`;
  const big = Buffer.alloc(300_000, 'abc');
  await writer.add('short', 100_000, Buffer.from('torn'));
  await writer.add(long, 5, Buffer.from('words that go on'));
  await writer.add('big', big.length, big);
  await writer.add('home/docs', 0, Buffer.alloc(0), { type: 'directory' });
  await writer.add('home/docs/link', 0, Buffer.alloc(0), { type: 'symlink', linkname: 'a.md' });
  expect(await readdir(folder)).toEqual(['one.partial']);
  await writer.finish(NOTES);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const found = new Map<string, unknown>();
  const read = await readArchive(file, async (entry) => {
    found.set(entry.name, entry.linkname ?? (entry.isFolder ? 'folder' : await bytesOf(entry)));
  });
  expect(found).toEqual(
    new Map<string, unknown>([
      ['short', Buffer.concat([Buffer.from('torn'), Buffer.alloc(99_996)])],
      [long, Buffer.from('words')],
      ['big', big],
      ['home/docs', 'folder'],
      ['home/docs/link', 'a.md'],
    ]),
  );
  expect(read?.notes).toEqual({ ...NOTES, entries: 5 });
});

test('refuses anything else with a sentence: another file, another tar, a missing file', async () => {
  const other = path.join(folder, 'other');
  await writeFile(other, 'words');
  await expect(readArchive(other, async () => {})).rejects.toThrow(/is not a complete Docent backup/);
  const tar = pack();
  tar.entry({ name: 'x' }, 'words');
  tar.finalize();
  await writeFile(other, Buffer.concat(await Array.fromAsync(tar as AsyncIterable<Buffer>)));
  await expect(readArchive(other, async () => {})).rejects.toThrow(/is not a complete Docent backup/);
  await expect(readArchive(path.join(folder, 'none'), async () => {})).rejects.toThrow(/does not exist/);
});

test('a backup that is given up leaves nothing behind', async () => {
  const file = path.join(folder, 'given-up');
  const writer = await ArchiveWriter.create(file);
  await writer.add('x', 3, Buffer.from('abc'));
  await writer.giveUp();
  expect((await readdir(folder)).filter((name) => name.startsWith('given-up'))).toEqual([]);
});

// Passphrases are slow to try on purpose.
test('keys open with their passphrase, in their backup, and in no other way', { timeout: 30_000 }, async () => {
  const keys = { 'secret-key': 'first', 'operator-token': 'second' };
  const passphrase = new Secret('correct horse');
  const sealed = await sealKeys(keys, passphrase, 'one');
  expect(JSON.stringify(sealed)).not.toMatch(/first|second|horse/);
  expect(await openKeys(sealed, passphrase, 'one')).toEqual(keys);
  await expect(openKeys(sealed, new Secret('correct house'), 'one')).rejects.toThrow(/The passphrase does not match/);
  await expect(openKeys(sealed, passphrase, 'two')).rejects.toThrow(/The passphrase does not match/);
});

test('rows that others refer to are restored before them', () => {
  const tables = ['a', 'b', 'c', 'd'].map((name) => ({ name }));
  const references = [
    { child: 'a', parent: 'c' },
    { child: 'c', parent: 'd' },
    { child: 'b', parent: 'not-copied' },
  ];
  expect(parentsFirst(tables, references).map(({ name }) => name)).toEqual(['b', 'd', 'c', 'a']);
  expect(() => parentsFirst(tables, [...references, { child: 'd', parent: 'a' }])).toThrow(/circle: a, c, d/);
});

test('a file of a running backup stays, even if the original is deleted', async () => {
  const analytics = new AnalyticsFolder(path.join(folder, 'analytics'));
  const name = 'files/p.parquet';
  await writeFile(analytics.fileOf(name), 'rows');
  const stage = await BackupStage.open(analytics);
  const held = await stage.hold(name);
  await rm(analytics.fileOf(name));
  expect(await readFile(held!.file, 'utf8')).toBe('rows');
  expect((await stage.hold(name))?.bytes, 'also when it is asked for again').toBe(4);
  expect(await stage.hold('files/other.parquet')).toBeNull();
  deleteDeadFolders(analytics.temporaryFolder);
  expect(await readFile(held!.file, 'utf8')).toBe('rows');
  stage.close();
  expect(await readdir(analytics.temporaryFolder)).toEqual([]);
});
