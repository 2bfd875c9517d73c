import { crc32 } from 'node:zlib';

/**
 * A log segment is a sequence of frames: magic (4 bytes), number of the frame in its segment (4), length of
 * the payload (4), CRC-32 over number, length and payload (4), all little-endian, then the payload: lines of
 * JSON. UTF-8 text never contains the magic, so the next whole frame can be found after damage.
 */
export const MAGIC = Buffer.from([0xff, 0x00, 0xd0, 0xce]);
const HEADER = 16;
const MAX_PAYLOAD = 64 * 1024 * 1024;

export function encodeFrame(no: number, payload: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(HEADER + payload.length);
  MAGIC.copy(frame, 0);
  frame.writeUInt32LE(no, 4);
  frame.writeUInt32LE(payload.length, 8);
  frame.writeUInt32LE(checksum(frame.subarray(4, 12), payload), 12);
  payload.copy(frame, HEADER);
  return frame;
}

/** A stretch of a segment that is not a frame: torn by a crash at the end, or damaged. */
export interface Damage {
  offset: number;
  bytes: number;
  /** The last frame of its segment. */
  atEnd: boolean;
}

export interface Scan {
  payloads: Buffer[];
  damage: Damage[];
}

/** Finds every complete frame of a segment, even after damage. */
export function scanFrames(segment: Buffer): Scan {
  const scan: Scan = { payloads: [], damage: [] };
  let offset = 0;
  while (offset < segment.length) {
    const payload = frameAt(segment, offset);
    if (payload) {
      scan.payloads.push(payload);
      offset += HEADER + payload.length;
      continue;
    }
    let next = offset;
    do next = segment.indexOf(MAGIC, next + 1);
    while (next >= 0 && !frameAt(segment, next));
    const end = next < 0 ? segment.length : next;
    scan.damage.push({ offset, bytes: end - offset, atEnd: next < 0 });
    offset = end;
  }
  return scan;
}

function frameAt(segment: Buffer, offset: number): Buffer | null {
  if (offset + HEADER > segment.length || segment.compare(MAGIC, 0, 4, offset, offset + 4) !== 0) return null;
  const length = segment.readUInt32LE(offset + 8);
  if (length > MAX_PAYLOAD || offset + HEADER + length > segment.length) return null;
  const payload = segment.subarray(offset + HEADER, offset + HEADER + length);
  const sum = checksum(segment.subarray(offset + 4, offset + 12), payload);
  return sum === segment.readUInt32LE(offset + 12) ? payload : null;
}

function checksum(head: Buffer, payload: Buffer): number {
  return crc32(payload, crc32(head));
}
