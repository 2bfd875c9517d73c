const FORBIDDEN = /[\p{Cc} ~^:?*[\\]/u;
const MAX_BYTES = 240;

/** Why git does not allow this name of a branch (git check-ref-format); null if it does. */
export function branchNameProblem(name: string): string | null {
  if (name === '') return 'it is empty';
  if (!name.isWellFormed() || FORBIDDEN.test(name)) return 'it has a character that branch names may not have';
  if (Buffer.byteLength(name) > MAX_BYTES) return `it is longer than ${MAX_BYTES} bytes`;
  if (name.startsWith('-')) return 'it begins with a dash';
  if (name.startsWith('refs/')) return 'give it without refs/heads/';
  if (name.includes('..') || name.includes('@{')) return 'it has .. or @{ in it';
  if (name.endsWith('.')) return 'it ends in a dot';
  if (name === '@' || name === 'HEAD') return 'git means something else by it';
  for (const part of name.split('/')) {
    if (part === '') return 'it has an empty part (a slash at an end, or two together)';
    if (part.startsWith('.') || part.endsWith('.lock')) return 'a part of it begins with a dot or ends in .lock';
  }
  return null;
}
