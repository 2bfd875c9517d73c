import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { readSiteConfig, type ConfigKind } from '@docent/docs-check/read/site-config';
import { RedirectTable } from '@docent/docs-check/read/redirect-table';
import { normalizePath } from '@docent/access-log/pages/normalize-path';
import { gitIn } from '../../code-hosts/local/local-repository.ts';
import type { ProjectRow } from '../../store/projects/projects.ts';
import { CliFailure, EXIT } from '@docent/base/terminal/failures';
import { safe } from '@docent/base/terminal/terminal-text';

/** Where an address leads next; null if it is the final one. */
export type NextAddress = (page: string) => string | null;

/** Reads a text file by its name, with slashes, below some root; null if there is none. */
type ReadText = (name: string) => Promise<string | null>;

/** File names of a site's configuration, the newer one first. */
const CONFIGS: readonly ConfigKind[] = ['docs.json', 'mint.json'];
const MAX_BYTES = 10_000_000;

/**
 * A site's redirects.
 * @param source `project` (its base branch), a `docs.json` or `mint.json`, or its folder
 * @throws CliFailure
 */
export async function redirectsFrom(source: string, project: ProjectRow): Promise<NextAddress> {
  return source === 'project' ? fromRepository(project) : fromDisk(path.resolve(source));
}

/** A site's redirects as moves of pages. Redirects to other sites, or to nothing, are left out. */
export function nextOf(redirects: readonly (readonly [source: string, destination: string])[]): NextAddress {
  const table = new RedirectTable(redirects.map(([from, to]) => [pageOf(from) ?? from, to]));
  return (page) => {
    const to = table.destinationOf(page);
    return to === null ? null : pageOf(to);
  };
}

function pageOf(address: string): string | null {
  return /^\/(?!\/)|^(?![a-z][a-z0-9+.-]*:|\/\/)/i.test(address)
    ? (normalizePath(address.replace(/^\/*/, '/'))?.path ?? null)
    : null;
}

async function fromDisk(source: string): Promise<NextAddress> {
  const info = await stat(source).catch(() => null);
  if (!info) throw new CliFailure(`${safe(source)} does not exist.`, EXIT.usage);
  const root = info.isDirectory() ? source : path.dirname(source);
  const read: ReadText = async (name) => {
    const file = path.join(root, name);
    if (path.relative(root, file).startsWith('..')) return null;
    const found = await stat(file).catch(() => null);
    if (!found?.isFile()) return null;
    if (found.size > MAX_BYTES) throw new CliFailure(`${safe(file)} has more than ${MAX_BYTES} bytes.`);
    return readFile(file, 'utf8');
  };
  const names = info.isDirectory() ? CONFIGS : [path.basename(source)];
  for (const name of names) {
    if ((await read(name)) !== null) return readRedirects(name, read, path.join(root, name));
  }
  throw new CliFailure(`${safe(source)} contains no ${CONFIGS.join(' or ')}.`, EXIT.usage);
}

async function fromRepository(project: ProjectRow): Promise<NextAddress> {
  if (project.host !== 'local') {
    throw new CliFailure(
      'The repository of this project is not on this machine. Pass the path of its docs.json with --aliases-from.',
      EXIT.usage,
    );
  }
  const branch = `refs/heads/${project.ref}`;
  const { code: missing, stderr } = await gitIn(project.repository, ['rev-parse', '--verify', '--quiet', branch]);
  if (missing !== 0) {
    const reason = stderr.trim() || `it has no branch ${project.ref}`;
    throw new CliFailure(`The repository ${safe(project.repository)} cannot be read: ${safe(reason)}.`);
  }
  const read: ReadText = async (name) => {
    const blob = `${branch}:${name}`;
    const { code, stdout } = await gitIn(project.repository, ['cat-file', 'blob', blob]);
    return code === 0 ? stdout : null;
  };
  for (let folder = project.docsDir; ; folder = path.posix.dirname(folder)) {
    const at = folder === '.' ? '' : folder;
    for (const config of CONFIGS) {
      const name = path.posix.join(at, config);
      if ((await read(name)) !== null) return readRedirects(name, read, `${name} of ${project.ref}`);
    }
    if (at === '') break;
  }
  const where = `the branch ${project.ref} of ${safe(project.repository)}`;
  throw new CliFailure(`No ${CONFIGS.join(' or ')} found on ${where}.`, EXIT.usage);
}

/** Files that the configuration refers to are read as they turn up. */
async function readRedirects(main: string, read: ReadText, shown: string): Promise<NextAddress> {
  const texts = new Map<string, string | null>([[main, await read(main)]]);
  const kind = main.endsWith('mint.json') ? 'mint.json' : 'docs.json';
  for (;;) {
    const missing: string[] = [];
    const config = readSiteConfig(main, kind, (name) => {
      if (!texts.has(name)) missing.push(name);
      return texts.get(name) ?? null;
    });
    for (const name of missing) texts.set(name, await read(name));
    if (missing.length > 0) continue;
    const unreadable = config.problems.find((problem) => problem.path === main);
    if (config.redirects.length === 0 && unreadable) {
      throw new CliFailure(`${safe(shown)} cannot be read: ${safe(unreadable.message)}.`);
    }
    return nextOf(config.redirects.map(({ from, to }) => [from.value, to.value]));
  }
}
