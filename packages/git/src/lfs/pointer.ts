import { createHash } from 'node:crypto';

/** https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md */
export interface LfsObject {
  /** SHA-256 of the content, in hex. */
  oid: string;
  size: number;
}

/** Longer files are not pointers. */
export const MAX_POINTER_BYTES = 1_024;

export function lfsObject(content: Uint8Array): LfsObject {
  return { oid: createHash('sha256').update(content).digest('hex'), size: content.length };
}

export function pointerTo({ oid, size }: LfsObject): string {
  return `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${size}\n`;
}

export function isPointer(text: string): boolean {
  return (
    text.length <= MAX_POINTER_BYTES &&
    /^version https?:\/\/(?:git-lfs\.github\.com|hawser\.github\.com|git-media\.io)\/spec\/v1\n/.test(text) &&
    /^oid sha256:[0-9a-f]{64}$/m.test(text)
  );
}
