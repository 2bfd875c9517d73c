import { createTwoFilesPatch } from 'diff';
import { plural } from '@docent/base/plural';
import { bold } from '@docent/base/terminal/terminal-text';
import { confirm } from '@docent/base/terminal/confirm';
import { fixedFiles, writeFixed, type FixedFile, type LeftFile } from './fix-links.ts';
import { oneLine } from './one-line.ts';
import type { CheckOutcome } from './run-check.ts';

/** Files that are named one by one. */
const MAX_LEFT = 10;

/**
 * `docent check --fix`: shows the changes, asks, and writes.
 * @param yes do not ask
 * @param dryRun only show
 * @param external also fix links by external servers' answers
 * @returns whether anything was written
 * @throws CliFailure if the answer is no, or no person can be asked
 */
export async function fixInTerminal(
  { docs, problems, top }: CheckOutcome,
  { yes, dryRun, quiet, external }: { yes?: boolean; dryRun?: boolean; quiet?: boolean; external?: boolean },
): Promise<boolean> {
  const say = (text: string) => (quiet ? process.stderr : process.stdout).write(`${text}\n`);
  const { fixed, left } = fixedFiles(docs, problems, { moved: external ?? false });
  if (!quiet) for (const file of fixed) say(patchOf(file));
  printLeftFiles(left, say);
  const what = `${plural(sum(fixed), 'link')} in ${plural(fixed.length, 'file')}`;
  if (fixed.length === 0) {
    say('No problem has a clear correction.');
    return false;
  }
  if (dryRun) {
    say(`${what} would be corrected.\n`);
    return false;
  }
  await confirm(`${what} will be corrected as shown.`, { ...(yes && { yes }), ...(quiet && { json: true }) });
  const notWritten = writeFixed(top, fixed);
  printLeftFiles(notWritten, say);
  const names = new Set(notWritten.map(({ path }) => path));
  const written = fixed.filter(({ path }) => !names.has(path));
  say(`${plural(sum(written), 'link')} in ${plural(written.length, 'file')} corrected.\n`);
  return written.length > 0;
}

function printLeftFiles(files: readonly LeftFile[], say: (text: string) => unknown): void {
  for (const { path, reason } of files.slice(0, MAX_LEFT)) say(`${oneLine(path)} was not changed: ${oneLine(reason)}.`);
  if (files.length > MAX_LEFT) say(`${plural(files.length - MAX_LEFT, 'more file')} were not changed.`);
}

function sum(files: readonly FixedFile[]): number {
  return files.reduce((total, { links }) => total + links, 0);
}

function patchOf({ path, before, after }: FixedFile): string {
  const patch = createTwoFilesPatch('', '', before, after, '', '', { context: 1 });
  const lines = patch.split('\n').slice(patch.split('\n').findIndex((line) => line.startsWith('@@')));
  return [bold(oneLine(path)), ...lines.map((line) => line.split('\t').map(oneLine).join('\t'))].join('\n');
}
