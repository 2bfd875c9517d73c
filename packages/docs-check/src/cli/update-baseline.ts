import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { baselineText } from '../checks/known/baseline.ts';
import { messageOf } from '@docent/base/thrown';
import { plural } from '@docent/base/plural';
import { CliFailure, EXIT } from '@docent/base/terminal/failures';
import { oneLine } from './one-line.ts';
import type { CheckOutcome } from './run-check.ts';

/** The most bytes of a file that are reread: see DiskFiles. */
const MAX_BYTES = 1_000_000;

/**
 * Writes the baseline atomically with the current errors and warnings. Writes nothing if there are no
 * problems and no baseline.
 * @returns a sentence
 * @throws CliFailure if it cannot be written, or could not be read again
 */
export function updateBaseline({ baselined, settings: { baselinePath }, top }: CheckOutcome): string {
  const file = path.join(top, baselinePath);
  const known = baselined.filter(({ severity, code }) => severity !== 'notice' && code !== 'invalid-ignore');
  const name = oneLine(baselinePath);
  if (known.length === 0 && !existsSync(file)) return 'No problems found, so no baseline is needed.';
  const text = baselineText(baselinePath, known);
  if (Buffer.byteLength(text) > MAX_BYTES) {
    throw new CliFailure(
      `The baseline would be too large, with ${plural(known.length, 'problem')}. In .docent.json, turn ` +
        'off the most frequent rule or exclude a folder.',
      EXIT.usage,
    );
  }
  if (existsSync(file) && readFileSync(file, 'utf8') === text)
    return `${name} is up to date: ${plural(known.length, 'known problem')}.`;
  write(file, text, top);
  return `${plural(known.length, 'known problem')} written to ${name}. Commit it.`;
}

function write(file: string, text: string, top: string): void {
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    const folder = realpathSync(path.dirname(file));
    const root = realpathSync(top);
    if (folder !== root && !folder.startsWith(root + path.sep))
      throw new Error('its folder is outside of the repository');
    writeFileSync(temporary, text, { flag: 'wx' });
    renameSync(temporary, file);
  } catch (thrown) {
    rmSync(temporary, { force: true });
    throw new CliFailure(`The baseline cannot be written: ${messageOf(thrown)}`, EXIT.usage, { cause: thrown });
  }
}
