/** Characters that file systems (HFS+) or people overlook, so that a name looks like another one. */
const IGNORABLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;
const ASCII_ONLY = /^[\u0020-\u007e]*$/;

/**
 * Equal for two paths which some file system takes for one: upper and lower case, composed and decomposed
 * letters.
 */
export function foldPath(path: string): string {
  if (ASCII_ONLY.test(path)) return path.toLowerCase();
  return path.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}

/**
 * The name that a file system may use: without case, ignorable code points, streams, trailing dots and
 * spaces.
 */
export function nameAlias(segment: string): string {
  const visible = ASCII_ONLY.test(segment) ? segment : segment.normalize('NFKC').replace(IGNORABLE, '');
  return foldPath(visible)
    .replace(/:.*$/, '')
    .replace(/[. ]+$/, '')
    .replace(/^ +/, '');
}
