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
