import { z } from 'zod';
import type { Migration } from '../../store/installation/migration-files.ts';
import { levelOf } from '../../store/installation/migration-files.ts';
import { VERSION } from '../../platform/version.ts';
import { HEAD, KEYS } from './archive.ts';
import { Mac } from './archive-mac.ts';
import { bytesOf, ENOUGH, parsed, readArchive } from './archive-reader.ts';
import { Sealed } from './sealed-keys.ts';
import { Refused } from '@docent/base/refused';
import { Expected } from '../../platform/errors.ts';

/** Raise it for every change of the format that older builds cannot read. */
export const FORMAT = 1;

/** `backup.json`: a description of the backup and its installation. */
export const Head = z.object({
  format: z.literal(FORMAT),
  /** Random id of this backup. */
  id: z.string(),
  docent: z.string(),
  installation: z.string(),
  /** All rows are of this moment. */
  moment: z.iso.datetime(),
  postgres: z.string(),
  schema: z.object({
    level: z.int(),
    migrations: z.array(z.object({ when: z.int(), hash: z.string() })),
  }),
  /** Parents before children. */
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
  sequences: z.array(z.object({ name: z.string(), last: z.string().nullable() })),
  /** Whether the installation had page views. */
  analytics: z.boolean(),
  /** Whether it has the keys of the home, encrypted. */
  keys: z.boolean(),
  /** How the keyed checksum at its end was made; null for a backup without a passphrase. */
  mac: Mac.nullable(),
  /** Repositories in its home that are in it, relative to it. */
  repositories: z.array(z.string()),
  /** Whether it has the state of the embedded Temporal: what its Web UI shows of finished jobs. */
  temporal: z.boolean(),
  /** Earlier backups that hold event files of this one, in the same folder. */
  bases: z.array(z.object({ id: z.string(), name: z.string() })),
  /** Sentences about missing parts and their consequences. */
  leftOut: z.array(z.string()),
});
export type Head = z.output<typeof Head>;

const Format = z.object({ format: z.int(), docent: z.string() });

/** @throws Expected `backup_damaged`, Refused for one of a later form */
export function parseHead(file: string, text: string): Head {
  const { format, docent } = parsed(file, Format, text);
  if (format !== FORMAT) {
    throw new Refused(
      `${file} was made by Docent ${docent} in format ${format}. This version, ${VERSION}, reads format ${FORMAT}. Use a matching version.`,
    );
  }
  return parsed(file, Head, text);
}

/** The first entries of a backup, without reading the rest. @throws Expected `backup_damaged`, Refused */
export async function readHead(file: string): Promise<{ head: Head; sealed: Sealed | null }> {
  let head: Head | undefined;
  let sealed: Sealed | null = null;
  await readArchive(file, async (entry) => {
    if (head === undefined) {
      if (entry.name !== HEAD) throw new Expected('backup_damaged', `${file} is not a Docent backup.`);
      head = parseHead(file, (await bytesOf(entry)).toString('utf8'));
      return head.keys ? undefined : ENOUGH;
    }
    if (entry.name !== KEYS) throw new Expected('backup_damaged', `${file} is damaged: its keys are missing.`);
    sealed = parsed(file, Sealed, (await bytesOf(entry)).toString('utf8'));
    return ENOUGH;
  });
  if (!head) throw new Expected('backup_damaged', `${file} is damaged: it is empty.`);
  return { head, sealed };
}

/** The migrations of a backup's schema. @throws Refused if this build lacks one */
export function migrationsFor(head: Head, own: readonly Migration[]): readonly Migration[] {
  const applied = new Set(head.schema.migrations.map(({ when }) => when));
  const known = own.filter(({ when }) => applied.has(when));
  if (known.length === applied.size) return known;
  throw new Refused(
    `The backup was made by Docent ${head.docent} with schema level ${head.schema.level}. This version, ${VERSION}, supports levels up to ` +
      `${levelOf(own)}. Restore it with the version that made it, or a newer one.`,
  );
}
