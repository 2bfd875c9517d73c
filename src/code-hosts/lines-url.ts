import type { CodeHostKind } from '../store/schema.ts';

/** Lines of a file at a commit. */
interface Lines {
  path: string;
  commit: string;
  fromLine: number;
  toLine: number;
}

/**
 * The page for lines of a file at a commit, on a code host of this kind.
 * @param repository the URL of its page
 * @returns a URL without characters that end a link in Markdown
 */
export function linesUrl(kind: CodeHostKind, repository: string, { path, commit, fromLine, toLine }: Lines): string {
  const [between, to] = { github: ['blob', '-L'], gitlab: ['-/blob', '-'], gitea: ['src/commit', '-L'] }[kind];
  const file = path.split('/').map(segment).join('/');
  return `${repository}/${between}/${commit}/${file}#L${fromLine}${toLine > fromLine ? `${to}${toLine}` : ''}`;
}

const segment = (name: string) =>
  encodeURIComponent(name).replaceAll(/[!'()*~]/g, (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`);
