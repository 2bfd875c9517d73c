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
