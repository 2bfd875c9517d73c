import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import type { ObjectType } from '../object-id.ts';

const TYPE_NUMBER: Record<ObjectType, number> = { commit: 1, tree: 2, blob: 3, tag: 4 };

/** A pack of whole objects, without deltas. The caller sees to it that no object is in it twice. */
export function writePack(objects: readonly { type: ObjectType; content: Uint8Array }[]): Buffer {
  const header = Buffer.alloc(12);
  header.write('PACK', 0, 'latin1');
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(objects.length, 8);
  const parts: Buffer[] = [header];
  for (const { type, content } of objects)
    parts.push(entryHeader(TYPE_NUMBER[type], content.length), deflateSync(content));
  const hash = createHash('sha1');
  for (const part of parts) hash.update(part);
  return Buffer.concat([...parts, hash.digest()]);
}

function entryHeader(type: number, size: number): Buffer {
  const bytes: number[] = [(type << 4) | (size & 15)];
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1]! |= 0x80;
    bytes.push(rest & 0x7f);
  }
  return Buffer.from(bytes);
}
