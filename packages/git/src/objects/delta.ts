import { GitError } from '../git-error.ts';

/** A delta that does not fit its base or breaks its own bounds. */
const badDelta = (what: string): GitError =>
  new GitError('object_bad', `the repository's server sent a delta that ${what}`);

/** The two sizes at a delta's start: of its base and of its result. Sizes above 2^53 are refused. */
export function deltaSizes(delta: Uint8Array): { base: number; result: number; at: number } {
  const base = variableLength(delta, 0);
  const result = variableLength(delta, base.at);
  return { base: base.value, result: result.value, at: result.at };
}

/** Applies a delta of a pack (gitformat-pack). Every read and write is checked against both buffers' ends. */
export function applyDelta(base: Uint8Array, delta: Uint8Array): Buffer {
  const sizes = deltaSizes(delta);
  if (sizes.base !== base.length) throw badDelta('is for another base');
  const result = Buffer.allocUnsafe(sizes.result);
  let { at } = sizes;
  let filled = 0;
  while (at < delta.length) {
    const instruction = delta[at++]!;
    if (instruction === 0) throw badDelta('has an unknown instruction');
    if (instruction & 0x80) {
      let offset = 0;
      let length = 0;
      for (let bit = 0; bit < 4; bit++) if (instruction & (1 << bit)) offset += byteAt(delta, at++) * 2 ** (8 * bit);
      for (let bit = 0; bit < 3; bit++) if (instruction & (16 << bit)) length += byteAt(delta, at++) * 2 ** (8 * bit);
      if (length === 0) length = 0x10000;
      if (offset + length > base.length || filled + length > result.length) throw badDelta('copies too much');
      result.set(base.subarray(offset, offset + length), filled);
      filled += length;
    } else {
      if (at + instruction > delta.length || filled + instruction > result.length) {
        throw badDelta('inserts too much');
      }
      result.set(delta.subarray(at, at + instruction), filled);
      at += instruction;
      filled += instruction;
    }
  }
  if (filled !== result.length) throw badDelta('ends too early');
  return result;
}

function variableLength(bytes: Uint8Array, from: number): { value: number; at: number } {
  let value = 0;
  for (let at = from, shift = 1; ; at++, shift *= 128) {
    const byte = byteAt(bytes, at);
    value += (byte & 0x7f) * shift;
    if (!Number.isSafeInteger(value)) throw badDelta('names an impossible size');
    if (!(byte & 0x80)) return { value, at: at + 1 };
  }
}

function byteAt(bytes: Uint8Array, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw badDelta('is cut short');
  return byte;
}
