import path from 'node:path';
import { z } from 'zod';
import { ELSEWHERE, HEAD } from './archive.ts';
import { bytesOf, parsed, readArchive, type ArchiveEntry } from './archive-reader.ts';
import { parseHead, type Head } from './head.ts';
import type { ManifestCheck } from './manifest-check.ts';
import { Refused } from '@docent/base/refused';
import { Expected } from '../../platform/errors.ts';

/** A line of `analytics/elsewhere.jsonl`: an event file, and the backup that holds it. */
const ElsewhereLine = z.object({ path: z.string(), bytes: z.string(), sha256: z.string(), backup: z.string() });
type ElsewhereLine = z.output<typeof ElsewhereLine>;

const linesOf = (file: string, bytes: Buffer): ElsewhereLine[] =>
  bytes
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => parsed(file, ElsewhereLine, line));

/** An earlier backup that another one builds on. */
export interface Base {
  installation: string;
  /** `<path> <SHA-256>` of each event file that it holds or names, and the id of the backup that holds it. */
  files: ReadonlyMap<string, string>;
  /** It, and those that it builds on itself. */
  chain: { id: string; name: string }[];
}

/**
 * Verifies an earlier backup before building on it.
 * @param next the backup to build
 * @throws Refused, Expected `backup_damaged`
 */
export async function readBase(file: string, next: string): Promise<Base> {
  if (path.dirname(path.resolve(file)) !== path.dirname(path.resolve(next))) {
    throw new Refused(`${file} is not in the folder of ${next}. Keep a backup and its base backups in one folder.`);
  }
  let head: Head | undefined;
  let lines: ElsewhereLine[] = [];
  const read = await readArchive(file, async (entry) => {
    if (entry.name === HEAD) head = parseHead(file, (await bytesOf(entry)).toString('utf8'));
    if (entry.name === ELSEWHERE) lines = linesOf(file, await bytesOf(entry));
  });
  if (!head || !read) throw new Expected('backup_damaged', `${file} is damaged: its header is missing.`);
  const { id } = head;
  const own = [...read.entries].flatMap(([name, { sha256 }]): [string, string][] =>
    name.startsWith('analytics/files/') ? [[`${name.slice('analytics/'.length)} ${sha256}`, id]] : [],
  );
  const others = lines.map(({ path: name, sha256, backup }): [string, string] => [`${name} ${sha256}`, backup]);
  return {
    installation: head.installation,
    files: new Map([...others, ...own]),
    chain: [{ id, name: path.basename(file) }, ...head.bases],
  };
}

/** By the id of the backup that holds them: event files of a backup that it names in {@link ELSEWHERE}. */
export type Elsewhere = Map<string, Set<string>>;

export async function readElsewhere(file: string, entry: ArchiveEntry, into: Elsewhere): Promise<void> {
  for (const { backup, path: name } of linesOf(file, await bytesOf(entry))) {
    into.set(backup, (into.get(backup) ?? new Set()).add(name));
  }
}

/**
 * Reads the event files that base backups hold.
 * @param of.bases their files by id
 * @param take gets each entry
 * @returns those of the manifest that were found there
 * @throws Expected `backup_damaged`; whatever `take` throws
 */
export async function takeFromBases(
  file: string,
  { elsewhere, bases, check }: { elsewhere: Elsewhere; bases: ReadonlyMap<string, string>; check: ManifestCheck },
  take: (entry: ArchiveEntry) => Promise<void>,
): Promise<Set<string>> {
  const found = new Set<string>();
  for (const [id, names] of elsewhere) {
    const base = bases.get(id);
    if (base === undefined)
      throw new Expected(
        'backup_damaged',
        `${file} is damaged: it refers to the backup ${id}, which is not one of its base backups.`,
      );
    const wanted = new Map([...names].map((name) => [`analytics/${name}`, name]));
    const read = await readArchive(base, async (entry) => {
      if (wanted.has(entry.name)) await take(entry);
    });
    for (const [entry, name] of wanted) {
      const there = read?.entries.get(entry);
      const said = check.wanted(name);
      if (!there || !said) continue;
      if (said.bytes !== there.bytes || said.sha256 !== there.sha256)
        throw new Expected('backup_damaged', `${name} in ${base} does not match the later backup.`);
      found.add(name);
    }
  }
  return found;
}
