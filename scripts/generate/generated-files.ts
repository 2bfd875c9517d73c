import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { format, type FormatConfig } from 'oxfmt';

const ROOT = path.join(import.meta.dirname, '..', '..');

/** The text of a file of the project, empty if there is none. @param file relative to the project */
export async function textOf(file: string): Promise<string> {
  try {
    return await readFile(path.join(ROOT, file), 'utf8');
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw err;
  }
}

/**
 * Writes the files whose text is another than it should be. With `--check` on the command line it writes
 * nothing, and fails with the list of those files.
 * @param files texts by path, relative to the project
 */
export async function writeGenerated(files: Record<string, string>): Promise<void> {
  const { values: flags } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
  const stale: string[] = [];
  for (const [file, text] of Object.entries(files)) {
    if ((await textOf(file)) === text) continue;
    stale.push(file);
    if (flags.check) continue;
    await mkdir(path.dirname(path.join(ROOT, file)), { recursive: true });
    await writeFile(path.join(ROOT, file), text);
  }
  const names = Object.keys(files).join(', ');
  if (flags.check && stale.length > 0) {
    process.stderr.write(`Out of date, run \`npm run generate\`:\n${stale.map((file) => `  ${file}\n`).join('')}`);
    process.exitCode = 1;
  } else {
    process.stdout.write(stale.length === 0 ? `Up to date: ${names}.\n` : `Wrote ${stale.join(', ')}.\n`);
  }
}

/**
 * A text as `npm run format` leaves it.
 * @param file its name says its language.
 * @throws Error where it is not of that
 */
export async function formatted(file: string, text: string): Promise<string> {
  const options = JSON.parse(await textOf('.oxfmtrc.json')) as FormatConfig;
  const { code, errors } = await format(file, text, options);
  if (errors.length > 0) throw new Error(`${file}: ${errors.map(({ message }) => message).join(' ')}`);
  return code;
}

/**
 * A text with another section in it.
 * @param from the line that begins the section, which stays
 * @param to matches the line behind the section
 */
export function withSection(text: string, from: string, to: RegExp, section: string): string {
  const start = text.indexOf(from);
  const rest = text.slice(start + from.length);
  const end = rest.search(to);
  if (start < 0 || end < 0) throw new Error(`There is no section of ${JSON.stringify(from)}.`);
  return text.slice(0, start + from.length) + section + rest.slice(end);
}
