const SLOTS = 4_096;
const LONGEST = 1_024;

interface Known {
  readonly bytes: Buffer;
  readonly text: string;
}

const known: (Known | undefined)[] = Array.from({ length: SLOTS });

/**
 * The text of some bytes: the same string object for the same bytes, most of the time. A log repeats a few hundred user agents
 * millions of times; a string that was looked up before is found again without being hashed or compared.
 */
export function internedText(
  buffer: Buffer,
  start: number,
  end: number,
  read: (buffer: Buffer, start: number, end: number) => string,
): string {
  const length = end - start;
  if (length > LONGEST) return read(buffer, start, end);
  let hash = length;
  for (let at = start; at < end; at += 3) hash = (Math.imul(hash, 31) + buffer[at]!) | 0;
  const slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
  const found = known[slot];
  if (found && found.bytes.length === length && found.bytes.compare(buffer, start, end) === 0) return found.text;
  const text = read(buffer, start, end);
  known[slot] = { bytes: Buffer.from(buffer.subarray(start, end)), text };
  return text;
}
