/** Characters that file systems (HFS+) or people overlook, so that a name looks like another one. */
const IGNORABLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;
const ASCII_ONLY = /^[\u0020-\u007e]*$/;

/** Equal for paths that some file systems treat as one: other case, composed or decomposed letters. */
export function foldPath(path: string): string {
  if (ASCII_ONLY.test(path)) return path.toLowerCase();
  return path.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}

/** The name that a file system may use: no case, ignorable code points, streams, trailing dots or spaces. */
export function nameAlias(segment: string): string {
  const visible = ASCII_ONLY.test(segment) ? segment : segment.normalize('NFKC').replace(IGNORABLE, '');
  return foldPath(visible)
    .replace(/:.*$/, '')
    .replace(/[. ]+$/, '')
    .replace(/^ +/, '');
}
