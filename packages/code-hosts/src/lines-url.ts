import type { CodeHostKind } from './remote-api.ts';

/** Lines of a file at a commit. */
interface Lines {
  path: string;
  commit: string;
  fromLine: number;
  toLine: number;
}

/**
 * The URL of a file's lines at a commit.
 * @param repository its page's URL
 * @returns a URL that is safe in a Markdown link
 */
export function linesUrl(kind: CodeHostKind, repository: string, { path, commit, fromLine, toLine }: Lines): string {
  const [between, to] = { github: ['blob', '-L'], gitlab: ['-/blob', '-'], gitea: ['src/commit', '-L'] }[kind];
  const file = path.split('/').map(segment).join('/');
  return `${repository}/${between}/${commit}/${file}#L${fromLine}${toLine > fromLine ? `${to}${toLine}` : ''}`;
}

const segment = (name: string) =>
  encodeURIComponent(name).replaceAll(/[!'()*~]/g, (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`);
