import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { NewObjects } from '@docent/git/commit/publish';
import { objectId } from '@docent/base/files/object-id';
import {
  DEFAULT_PACK_LIMITS,
  readPack as readPackFile,
  type PackedObject,
  type PackLimits,
} from '@docent/git/objects/pack-reader';

type ReadOptions = Partial<PackLimits> & { findBase?: (id: string) => PackedObject | null };

/** Reads a pack from a file, as it is read from the disk. */
export async function readPack(pack: Buffer, { findBase, ...limits }: ReadOptions = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'docent-pack-'));
  const file = path.join(folder, 'a.pack');
  writeFileSync(file, pack);
  const fd = openSync(file, 'r');
  const objects = new Map<string, PackedObject>();
  try {
    const summary = await readPackFile(fd, pack.length, (object) => objects.set(object.id, object), {
      limits: { ...DEFAULT_PACK_LIMITS, ...limits },
      ...(findBase ? { findBase } : {}),
    });
    return { objects, summary };
  } finally {
    closeSync(fd);
    rmSync(folder, { recursive: true });
  }
}

/** The pack that Docent writes of these blobs. */
export async function packOf(contents: readonly Uint8Array[]): Promise<Buffer> {
  const objects = new NewObjects();
  for (const content of contents) await objects.addBlob(objectId('blob', content), content);
  return Buffer.from(await objects.pack());
}
