import path from 'node:path';
import { readHead, type Head } from './head.ts';
import { Refused } from '@docent/base/refused';

/**
 * The files of a backup's bases by id, beside it under their old names.
 * @throws Refused if one is missing or another
 */
export async function findBases(file: string, head: Head): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const { id, name } of head.bases) {
    const base = path.join(path.dirname(path.resolve(file)), path.basename(name));
    const isIt = await readHead(base).then(
      ({ head: its }) => its.id === id && its.installation === head.installation,
      (err: unknown) => {
        if (err instanceof Refused) return null;
        throw err;
      },
    );
    if (isIt === null) {
      throw new Refused(`${file} requires ${path.basename(name)}, which is missing. Put it in the same folder.`);
    }
    if (!isIt) {
      throw new Refused(
        `${base} is not the base backup of ${file}. Replace it with the right backup of the same name.`,
      );
    }
    found.set(id, base);
  }
  return found;
}
