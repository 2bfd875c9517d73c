import { RepositoryProblem } from '@docent/git/repository-problem';

const PART = /^(?!\.{1,2}$)[\w.~-]+$/;

/**
 * `https://github.com/org/repo.git` → `org/repo`.
 * @throws RepositoryProblem for other hosts, or no repository
 */
export function repositoryPath(webUrl: string, repository: string): string {
  const base = new URL(webUrl);
  const url = URL.canParse(repository) ? new URL(repository) : null;
  const prefix = base.pathname.replace(/\/+$/, '');
  const isOurs = url !== null && url.origin === base.origin && url.pathname.startsWith(`${prefix}/`);
  if (!isOurs || url.search !== '' || url.hash !== '') {
    throw new RepositoryProblem('repository_missing', `The repository's URL must begin with ${webUrl}/.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new RepositoryProblem(
      'repository_missing',
      'Remove the user name and password from the URL. Docent uses the credential of the code host.',
    );
  }
  const path = url.pathname.slice(prefix.length + 1).replace(/(?:\.git)?\/*$/, '');
  const parts = path.split('/');
  if (parts.length < 2 || !parts.every((part) => PART.test(part))) {
    throw new RepositoryProblem(
      'repository_missing',
      `The repository's URL must look like ${webUrl}/organization/repository.`,
    );
  }
  return path;
}

export function gitUrl(url: string): string {
  return `${url}.git`;
}

/** The URL that an address of another form stands for, such as that of a clone over SSH; null for none. */
export function httpsUrl(repository: string): string | null {
  const [, at, path] =
    /^(?:(?:ssh|git):\/\/)?(?:[\w.-]+@)?([\w-]+(?:\.[\w-]+)+)(?::\d+\/|[:/])\/*([^:?#\s]+\/[^:?#\s]+)$/i.exec(
      repository,
    ) ?? [];
  return path === undefined ? null : `https://${at}/${path.replace(/(?:\.git)?\/*$/, '')}`;
}

/** The repository's URL, for the URL of one of its pages, e.g. a folder on a branch; null for any other. */
export function urlOfPage({ kind, webUrl }: { kind: string; webUrl: string }, repository: string): string | null {
  const { pathname, search, hash, origin } = new URL(repository);
  const prefix = `${webUrl}/`;
  const path = `${origin}${pathname}`;
  if (!path.startsWith(prefix)) return null;
  const rest = path.slice(prefix.length);
  const [, own] = (kind === 'gitlab' ? /^(.+?)\/-(?:\/|$)/ : /^([^/]+\/[^/]+)\/+[^/]/).exec(rest) ?? [];
  if (own !== undefined) return prefix + own;
  return search !== '' || hash !== '' ? prefix + rest.replace(/\/+$/, '') : null;
}
