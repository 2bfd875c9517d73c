import { isUtf8 } from 'node:buffer';

/** The likely encoding of a file that is not UTF-8, as text; null for UTF-8, and for binary files. */
export function otherEncoding(content: Uint8Array): string | null {
  const [a, b, c, d] = content;
  if ((a === 0xff && b === 0xfe && c === 0 && d === 0) || (a === 0 && b === 0 && c === 0xfe && d === 0xff))
    return 'UTF-32';
  if ((a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff)) return 'UTF-16';
  const sample = content.subarray(0, 4_096);
  let [nul, even, control] = [0, 0, 0];
  for (const [i, byte] of sample.entries()) {
    if (byte === 0) {
      nul += 1;
      if (i % 2 === 0) even += 1;
    } else if (byte < 0x20 && !(byte >= 0x09 && byte <= 0x0d) && byte !== 0x1b) control += 1;
  }
  // In UTF-16 text, mostly every second byte is 0.
  const isOneSided = nul > sample.length / 4 && (even === 0 || even === nul);
  if (nul > 0) return isOneSided && control === 0 ? 'UTF-16' : null;
  if (control > 0 || content.length === 0 || isUtf8(content)) return null;
  return 'Latin-1, Windows-1252 or another legacy encoding';
}
