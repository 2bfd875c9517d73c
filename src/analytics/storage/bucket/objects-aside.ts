import { rm } from 'node:fs/promises';
import path from 'node:path';
import { newId } from '../../../store/ids.ts';
import type { BucketFiles } from './bucket-files.ts';
import { isProblem } from './bucket-problem.ts';

const ASIDE = 'set-aside/unnamed/';
const FILES = 'files/';
const LISTED_FOR_MS = 60_000;

const listed = new WeakMap<BucketFiles, { at: number; names: Promise<string[]> }>();

/** Addresses of objects that were set aside. Asked at most once a minute. @throws AppError `unavailable` */
export async function objectsAside(files: BucketFiles): Promise<string[]> {
  let known = listed.get(files);
  if (!known || performance.now() - known.at > LISTED_FOR_MS) {
    const { url } = files.bucket.place;
    const names = files.list(ASIDE).then((found) => found.map(({ name }) => `${url}/${name}`));
    known = { at: performance.now(), names };
    listed.set(files, known);
    names.catch(() => listed.delete(files));
  }
  return known.names;
}

/** Moves an unnamed object of events to where `recover` finds it. Idempotent. @returns its address */
export async function setObjectAside(files: BucketFiles, temporaryFolder: string, name: string): Promise<string> {
  const aside = ASIDE + name.slice(FILES.length);
  await move(files, temporaryFolder, name, aside);
  listed.delete(files);
  return `${files.bucket.place.url}/${aside}`;
}

/** Moves a project's objects back that were set aside. Idempotent. @throws AppError `unavailable` */
export async function restoreObjects(
  files: BucketFiles,
  temporaryFolder: string,
  projectId: string,
  family: string,
): Promise<void> {
  for (const { name } of await files.list(`${ASIDE}${projectId}/${family}/`)) {
    await move(files, temporaryFolder, name, FILES + name.slice(ASIDE.length));
  }
  listed.delete(files);
}

/** Deletes the set-aside objects of a project. @throws AppError `unavailable` */
export async function removeObjectsAside(files: BucketFiles, projectId: string): Promise<void> {
  await files.remove((await files.list(`${ASIDE}${projectId}/`)).map(({ name }) => name));
}

/**
 * The new object is put first. If the process dies in between, both exist, and a repeat deletes the old one.
 */
async function move(files: BucketFiles, temporaryFolder: string, from: string, to: string): Promise<void> {
  const file = path.join(temporaryFolder, `${newId()}.moved`);
  try {
    const came = await files.ask(() => files.bucket.get(from, file));
    await files.ask(() => files.bucket.put(to, file, came), 'store');
  } catch (err) {
    if (!isProblem(err, 'missing')) throw err;
    return;
  } finally {
    await rm(file, { force: true });
  }
  await files.remove([from]);
}
