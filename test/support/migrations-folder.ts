import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readMigrations } from '../../src/store/installation/migration-files.ts';

export const OWN_MIGRATIONS = path.join(import.meta.dirname, '..', '..', 'src', 'store', 'migrations');

interface Journal {
  entries: { idx: number; version: string; when: number; tag: string; breakpoints: boolean }[];
}

/**
 * The migrations of a later release: this build's and more, by name, such as `0901_more`.
 * @param base the folder that it extends; `[]` for none
 */
export function laterMigrations(more: Record<string, string>, base: string | [] = OWN_MIGRATIONS): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'docent-migrations-'));
  mkdirSync(path.join(folder, 'meta'));
  const file = path.join(folder, 'meta', '_journal.json');
  if (typeof base === 'string') cpSync(base, folder, { recursive: true });
  else writeFileSync(file, JSON.stringify({ version: '7', dialect: 'postgresql', entries: [] }));
  const journal = JSON.parse(readFileSync(file, 'utf8')) as Journal;
  for (const [tag, text] of Object.entries(more)) {
    const idx = Number(tag.slice(0, 4));
    writeFileSync(path.join(folder, `${tag}.sql`), text);
    journal.entries.push({ idx, version: '7', when: 1_900_000_000_000 + idx, tag, breakpoints: true });
  }
  writeFileSync(file, JSON.stringify(journal));
  return folder;
}

/** As {@link laterMigrations}, read. */
export function later(more: Record<string, string>) {
  return readMigrations(laterMigrations(more));
}
