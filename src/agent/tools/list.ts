import { z } from 'zod';
import { compileGlob } from '../../docs-site/read/glob.ts';
import { describeSite, siteInWords } from '../../docs-site/read/describe-site.ts';
import { folderOf, isPartial } from '../../docs-site/read/site.ts';
import { visibleName } from '../../docs-site/read/visible-text.ts';
import { plural } from '../../platform/plural.ts';
import { boundedLines } from './bounded-output.ts';
import { siteExtension } from './new-path.ts';
import { findFolder } from './page-reference.ts';
import { defineTool, ToolRefusal } from './tool.ts';
import type { DataOf } from './tool-data.ts';
import type { ToolSession } from './tool-session.ts';

/** Folders that are kept as data, beside the text. */
const MAX_FOLDERS = 200;

const schema = z.strictObject({
  path: z.string().max(2_000).optional().describe('Folder to list; default: the docs folder.'),
  glob: z
    .string()
    .max(500)
    .optional()
    .describe('Only files that match, e.g. **/*.mdx or guides/**. Without a slash it is matched against file names.'),
  depth: z.number().int().min(1).max(20).optional().describe('Levels of folders to open; default 4.'),
});

export const listTool = defineTool({
  name: 'list',
  description:
    'Lists files: as a tree, or the paths that match a glob. Its first line says what kind of site this is, where its root is and what its pages look like.',
  schema,
  example: { path: 'guides', depth: 2 },
  looksOnly: true,
  run(input, session) {
    const folder = folderOfInput(session, input.path);
    const prefix = folder === '' ? '' : `${folder}/`;
    const paths = session.workspace.paths().filter((path) => path.startsWith(prefix));
    const found = input.glob === undefined ? null : paths.filter(matching(session, input.glob));
    const opened = found ? [...new Set(found.map(folderOf))] : [];
    const lines = found
      ? [countLine(found, input.glob), ...found.map(visibleName)]
      : tree(paths, prefix, input.depth ?? 4, opened);
    const site = siteFacts(session);
    const text = boundedLines([siteLine(session, site), ...lines], howToSeeMore);
    const folders = { paths: opened.slice(0, MAX_FOLDERS), whole: found === null };
    return { text, data: { tool: 'list', site, matches: found?.length ?? null, folders } };
  },
});

function countLine(found: readonly string[], glob = ''): string {
  return `${plural(found.length, 'file')} match ${glob}${found.length > 0 ? ':' : '.'}`;
}

function howToSeeMore(left: number): string {
  return `… ${plural(left, 'more line')}. List a folder of it, or give a narrower glob.`;
}

function folderOfInput(session: ToolSession, path: string | undefined): string {
  if (path === undefined) return session.policy.docsDir;
  const folder = findFolder(session, path);
  if (folder === null) throw new ToolRefusal(`There is no folder ${visibleName(path)}. Call list without a path.`);
  return folder;
}

/** Whether a path matches a glob, as it stands in the repository or in the site. @throws ToolRefusal for what is no glob */
export function matching(session: ToolSession, glob: string): (path: string) => boolean {
  const { root } = session.docs.site;
  const test = globTest(glob);
  return (path) => test(path) || (root !== '' && path.startsWith(`${root}/`) && test(path.slice(root.length + 1)));
}

function globTest(glob: string): (path: string) => boolean {
  try {
    return compileGlob(glob);
  } catch (thrown) {
    throw new ToolRefusal(thrown instanceof RangeError ? thrown.message : `${glob} is not a valid glob.`);
  }
}

/**
 * Folders before files, each level indented; folders below the depth are counted.
 * @param opened gets the folders whose files are named
 */
function tree(paths: readonly string[], prefix: string, depth: number, opened: string[]): string[] {
  const lines: string[] = [prefix === '' ? '(repository)/' : visibleName(prefix)];
  const walk = (inside: readonly string[], start: number, level: number) => {
    opened.push(inside[0]?.slice(0, Math.max(0, start - 1)) ?? '');
    const indent = '  '.repeat(level);
    for (const [name, own] of groupByFolder(inside, start)) {
      if (name.startsWith('.') || name === 'node_modules/')
        lines.push(`${indent}${visibleName(name)} (${plural(own.length, 'file')})`);
      else if (name.endsWith('/') && level >= depth)
        lines.push(`${indent}${visibleName(name)} (${plural(own.length, 'file')})`);
      else {
        lines.push(indent + visibleName(name));
        if (name.endsWith('/')) walk(own, start + name.length, level + 1);
      }
    }
  };
  walk(paths, prefix.length, 1);
  return lines;
}

/** Names at one level: folders with a slash and what is in them. */
function groupByFolder(paths: readonly string[], start: number): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const path of paths) {
    const slash = path.indexOf('/', start);
    const name = slash === -1 ? path.slice(start) : path.slice(start, slash + 1);
    const group = groups.get(name);
    if (group) group.push(path);
    else groups.set(name, [path]);
  }
  return groups;
}

function siteFacts({ docs }: ToolSession): DataOf<'list'>['site'] {
  const { site } = docs;
  const pages = site.pages.filter((path) => !isPartial(site, path));
  const sample = pages.slice(0, 20).map((path) => docs.facts(path));
  const withTitle = sample.filter((facts) => facts?.frontMatter?.fields['title'] !== undefined).length;
  const inFrontMatter = withTitle * 2 > sample.length || (sample.length === 0 && site.config);
  return {
    configured: site.kind !== 'plain',
    extension: siteExtension(site),
    titles: inFrontMatter ? 'front matter' : 'headings',
  };
}

function siteLine({ docs: { site } }: ToolSession, { extension, titles }: DataOf<'list'>['site']): string {
  const kind = siteInWords({ ...describeSite(site), folder: '' });
  const root = site.root === '' ? 'the repository' : `${visibleName(site.root)}/`;
  const pages = site.pages.filter((path) => !isPartial(site, path)).length;
  return `Site: ${kind}. Root: ${root}. Pages: ${pages} (${extension}). Titles: in ${titles}.`;
}
