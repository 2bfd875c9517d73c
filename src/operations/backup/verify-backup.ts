import type { Secret } from '../../platform/secret.ts';
import { ELSEWHERE, HEAD, KEYS } from './archive.ts';
import { requireMac } from './archive-mac.ts';
import { readArchive, type ArchiveEntry } from './archive-reader.ts';
import { readElsewhere, takeFromBases, type Elsewhere } from './base.ts';
import { findBases } from './find-bases.ts';
import { readHead, type Head } from './head.ts';
import { lossesOf, ManifestCheck } from './manifest-check.ts';
import { placeOf } from './places.ts';
import { unzipped } from './restore-backup.ts';
import { Expected } from '../../platform/errors.ts';

/** The content of a complete backup. */
export interface Verified {
  head: Head;
  entries: number;
  rows: Record<string, number>;
  eventFiles: { included: number; elsewhere: number };
  /** The backups that it builds on, which are complete as well. */
  bases: string[];
  losses: string[];
}

const PARQUET = 'PAR1';
const FOOTER_BYTES = 8;
/** For the names alone: nothing is written. */
const NOWHERE = { home: '/', analyticsRoot: '/' };

/**
 * Verifies a backup and its bases: sums, tables, event files against manifest and footers; with the
 * passphrase, also against changes. Restores nothing.
 * @throws Expected `backup_damaged`, Refused
 */
export async function verifyBackup(
  file: string,
  { passphrase, progress = () => {} }: { passphrase?: Secret; progress?: (text: string) => void } = {},
): Promise<Verified> {
  const { head } = await readHead(file);
  if (passphrase) await requireMac(file, passphrase, head.mac);
  const bases = await findBases(file, head);
  const check = new ManifestCheck(head);
  const elsewhere: Elsewhere = new Map();
  const read = await readArchive(file, async (entry) => {
    progress(entry.name);
    if (entry.name === ELSEWHERE) await readElsewhere(file, entry, elsewhere);
    else await verifyEntry(file, entry, check);
  });
  if (!read) throw new Expected('backup_damaged', `${file} is damaged: its end is missing.`);
  const found = await takeFromBases(file, { elsewhere, bases, check }, async (entry) => progress(entry.name));
  check.requireAll(read, found);
  const { missing, rows } = read.notes;
  return {
    head,
    entries: read.entries.size,
    rows,
    eventFiles: { included: check.size - found.size - missing.length, elsewhere: found.size },
    bases: head.bases.map(({ name }) => name),
    losses: lossesOf(read.notes),
  };
}

async function verifyEntry(file: string, entry: ArchiveEntry, check: ManifestCheck): Promise<void> {
  if (entry.name === HEAD || entry.name === KEYS) return;
  const place = placeOf(entry.name, NOWHERE);
  if (place.kind === 'rows') check.take(place.table, await unzipped(file, entry));
  else if (entry.name.startsWith('analytics/files/') && check.wanted(entry.name.slice('analytics/'.length))) {
    // The checksum shows whether its bytes are those that were written.
    const tail = await lastBytes(entry);
    const isWhole = tail.toString('latin1', 4) === PARQUET && tail.readUInt32LE(0) < entry.size;
    if (!isWhole) check.noFooter(entry.name.slice('analytics/'.length));
  }
}

async function lastBytes(entry: ArchiveEntry): Promise<Buffer> {
  let tail: Buffer = Buffer.alloc(FOOTER_BYTES);
  for await (const chunk of entry.content)
    tail = Buffer.concat([tail, chunk.subarray(-FOOTER_BYTES)]).subarray(-FOOTER_BYTES);
  return tail;
}
