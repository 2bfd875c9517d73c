/** An image's header: nothing is decompressed, so decompression bombs have no effect. */
export interface ImageHead {
  mediaType: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  /** Pixels. 0 if the header does not have them. */
  width: number;
  height: number;
}

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

/**
 * The type and size of an image, by its first bytes; null for anything else. Own code for four formats:
 * libraries for dozens of formats parse data that is refused anyway. Takes time in proportion to the file at
 * most. Sources: PNG 3rd edition §11.2.1; GIF89a §18; ITU-T T.81 annex B; RFC 9649 §2.
 */
export function readImageHead(file: Buffer): ImageHead | null {
  if (file.subarray(0, 8).equals(PNG)) {
    if (file.toString('latin1', 12, 16) !== 'IHDR' || file.length < 33) return null;
    return { mediaType: 'image/png', width: file.readUInt32BE(16), height: file.readUInt32BE(20) };
  }
  if (/^GIF8[79]a$/.test(file.toString('latin1', 0, 6))) {
    if (file.length < 13) return null;
    return { mediaType: 'image/gif', width: file.readUInt16LE(6), height: file.readUInt16LE(8) };
  }
  if (file.toString('latin1', 0, 4) === 'RIFF' && file.toString('latin1', 8, 12) === 'WEBP') return webpHead(file);
  if (file.length > 4 && file.readUInt32BE(0) >>> 8 === 0xff_d8_ff) return jpegHead(file);
  return null;
}

function webpHead(file: Buffer): ImageHead | null {
  if (file.length < 30) return null;
  const mediaType = 'image/webp';
  switch (file.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { mediaType, width: file.readUInt16LE(26) & 0x3f_ff, height: file.readUInt16LE(28) & 0x3f_ff };
    case 'VP8L': {
      const bits = file.readUInt32LE(21);
      return { mediaType, width: (bits & 0x3f_ff) + 1, height: ((bits >>> 14) & 0x3f_ff) + 1 };
    }
    case 'VP8X':
      return { mediaType, width: file.readUIntLE(24, 3) + 1, height: file.readUIntLE(27, 3) + 1 };
    default:
      return null;
  }
}

/** Segment after segment, each longer than nothing, up to the one that begins a frame. */
function jpegHead(file: Buffer): ImageHead | null {
  for (let at = 2; at + 9 < file.length;) {
    if (file[at] !== 0xff) return null;
    const marker = file[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame)
      return { mediaType: 'image/jpeg', width: file.readUInt16BE(at + 7), height: file.readUInt16BE(at + 5) };
    const length = file.readUInt16BE(at + 2);
    if (length < 2 || marker === 0xda) return null;
    at += 2 + length;
  }
  return null;
}
