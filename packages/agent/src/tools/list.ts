import { z } from 'zod';
import { compileGlob } from '@docent/base/glob';
import { describeSite, siteText } from '@docent/docs-check/read/describe-site';
import { folderOf, isPartial } from '@docent/docs-check/read/site';
import { visibleName } from '@docent/docs-check/read/visible-text';
import { plural } from '@docent/base/plural';
import { boundedLines } from './bounded-output.ts';
import { collapsedTree, type CollapsedTree, type TreeOptions } from './collapsed-tree.ts';
import { siteExtension } from './new-path.ts';
import { findFolder } from './page-reference.ts';
import { defineTool, ToolRefusal } from './tool.ts';
import type { DataOf } from '@docent/models/conversation/tool-data';
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
  depth: z.number().int().min(1).max(20).optional().describe('Levels of folders to show at most; default: what fits.'),
});

export const listTool = defineTool({
  name: 'list',
  description:
    'Lists files: as a tree with the titles of pages, or the paths that match a glob. On large sites ' +
    'folders are collapsed to a count: list one to open it. The first line says what kind of site this ' +
    'is, where its root is and what its pages look like.',
  schema,
  example: { path: 'guides', depth: 2 },
  readOnly: true,
  run(input, session) {
    const folder = folderOfInput(session, input.path);
    const prefix = folder === '' ? '' : `${folder}/`;
    const paths = session.workspace.paths().filter((path) => path.startsWith(prefix));
    const found = input.glob === undefined ? null : paths.filter(matching(session, input.glob));
    const site = siteFacts(session);
    const head = [siteLine(session, site), ...(found ? [countLine(found, input.glob)] : [])];
    const data = { tool: 'list', site, matches: found?.length ?? null } as const;
    if (found && lengthOf(found) <= ROOM) {
      const paths = [...new Set(found.map(folderOf))].slice(0, MAX_FOLDERS);
      return {
        text: [...head, ...found.map(visibleName)].join('\n'),
        data: { ...data, folders: { paths, whole: false } },
      };
    }
    const tree = collapsedTree(found ?? paths, prefix, treeOptions(session, input.depth ?? Infinity));
    const top = prefix === '' ? '(repository)/' : visibleName(prefix);
    const lines = [...head, top, ...tree.lines, ...howToOpen(tree, prefix)];
    const folders = { paths: tree.opened.slice(0, MAX_FOLDERS), whole: found === null && tree.left === 0 };
    return { text: boundedLines(lines, howToSeeMore), data: { ...data, folders } };
  },
});

/** Characters of a list: about 2,000 tokens. */
const ROOM = 8_000;

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

function treeOptions(session: ToolSession, depth: number): TreeOptions {
  const { site } = session.docs;
  const pages = new Set(site.pages.filter((path) => !isPartial(site, path)));
  return {
    room: ROOM,
    depth,
    isPage: (path) => pages.has(path),
    titleOf: (path) => session.index(path)?.title ?? null,
  };
}

/** Explains how to see the rest. */
function howToOpen({ collapsed, left }: CollapsedTree, prefix: string): string[] {
  const more =
    left === 0 ? [] : [`… ${plural(left, 'more file')} in it. Give a glob, such as ${visibleName(prefix)}a*.`];
  if (collapsed.folders === 0) return more;
  const words = `${plural(collapsed.folders, 'folder')} with ${plural(collapsed.files, 'file')} collapsed to a count.`;
  return [
    ...more,
    `${words} Open one with its path from the top; find pages on a subject with search and ranked: true.`,
  ];
}

function countLine(found: readonly string[], glob = ''): string {
  const collapsed = lengthOf(found) > ROOM ? ', as a tree' : '';
  return `${plural(found.length, 'file')} match ${glob}${found.length > 0 ? `${collapsed}:` : '.'}`;
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

/** Whether a repository's or site's path matches a glob. @throws ToolRefusal for an invalid one */
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
  const kind = siteText({ ...describeSite(site), folder: '' });
  const root = site.root === '' ? 'the repository' : `${visibleName(site.root)}/`;
  const pages = site.pages.filter((path) => !isPartial(site, path)).length;
  return `Site: ${kind}. Root: ${root}. Pages: ${pages} (${extension}). Titles: in ${titles}.`;
}
