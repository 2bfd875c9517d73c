import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { SiteCopy } from './site-copy.ts';

/** A report of a checker about a page. */
export interface Finding {
  /** From the top of the repository. */
  page: string;
  /** The problem, in the same words at each run. */
  what: string;
}

export interface Checker {
  name: string;
  /** Kinds of sites that it supports; absent for all. */
  sites?: readonly string[];
  run(copy: SiteCopy): Finding[];
}

const MAX_OUTPUT = 2 ** 30;
const NO_NETWORK = '^https?://';

/**
 * Other installed checkers, used on files as their docs recommend: without the network, with anchors.
 * @param folders where programs are: a folder of npm packages, of cargo's, and the like
 */
export function otherCheckers(folders: readonly string[]): Checker[] {
  const places = folders.flatMap((folder) => [
    folder,
    ...['bin', 'node_modules/.bin'].map((name) => path.join(folder, name)),
  ]);
  const find = (name: string) =>
    places.map((place) => path.join(place, name)).find((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
  const found: Checker[] = [];
  const lychee = find('lychee');
  if (lychee !== undefined) found.push({ name: 'lychee', run: (copy) => runLychee(lychee, copy) });
  const remark = find('remark');
  if (remark !== undefined) found.push({ name: 'remark-validate-links', run: (copy) => runRemark(remark, copy) });
  const markdownLinkCheck = find('markdown-link-check');
  if (markdownLinkCheck !== undefined)
    found.push({ name: 'markdown-link-check', run: (copy) => runMarkdownLinkCheck(markdownLinkCheck, copy) });
  const mint = find('mint');
  if (mint !== undefined)
    found.push({ name: 'mint broken-links', sites: ['docs.json', 'mint.json'], run: (copy) => runMint(mint, copy) });
  const mkdocs = find('mkdocs');
  if (mkdocs !== undefined)
    found.push({ name: 'mkdocs build', sites: ['mkdocs'], run: (copy) => runMkdocs(mkdocs, copy) });
  return found;
}

/**
 * The site's own build, with its checks of anchors turned on:
 * https://www.mkdocs.org/user-guide/configuration/#validation
 */
function runMkdocs(program: string, copy: SiteCopy): Finding[] {
  const config = ['mkdocs.yml', '../mkdocs.yml']
    .map((name) => path.join(copy.folder, name))
    .find((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
  if (config === undefined) throw new Error(`There is no mkdocs.yml in ${copy.folder} or above it.`);
  const inherited = path.join(path.dirname(config), '.docent-compare.yml');
  const checks = 'validation:\n  anchors: warn\n  absolute_links: warn\n  unrecognized_links: warn\n';
  writeFileSync(inherited, `INHERIT: ./${path.basename(config)}\n${checks}`);
  try {
    const said = output(
      program,
      ['build', '--config-file', inherited, '--site-dir', copy.besides('built')],
      copy.folder,
      'stderr',
    );
    const docs = pagesIn(copy.folder);
    return stripVTControlCharacters(said)
      .split('\n')
      .flatMap((line): Finding[] => {
        const [, file, what] = /^WARNING +- +Doc file '([^']+)' contains (.+)$/.exec(line) ?? [];
        const page = docs.find((name) => name === file || name.endsWith(`/${file}`));
        return page === undefined || what === undefined
          ? []
          : [{ page: path.relative(copy.root, path.join(copy.folder, page)), what }];
      });
  } finally {
    rmSync(inherited);
  }
}

/**
 * https://lychee.cli.rs: links without an extension, and those that name a folder, are looked for as files.
 */
function runLychee(program: string, copy: SiteCopy): Finding[] {
  const args = ['--offline', '--include-fragments', '--no-progress', '--format', 'json', '--root-dir', copy.folder];
  const fallback = ['--fallback-extensions', 'mdx,md,html', '--index-files', 'index.mdx,index.md,README.md,.'];
  const report = JSON.parse(output(program, [...args, ...fallback, ...pagesIn(copy.folder)], copy.folder)) as {
    error_map: Record<string, { url: string }[]>;
  };
  return Object.entries(report.error_map).flatMap(([file, errors]) =>
    errors.map(({ url }) => ({ page: path.relative(copy.root, path.resolve(copy.folder, file)), what: url })),
  );
}

/** https://github.com/remarkjs/remark-validate-links, with the parsers for MDX and front matter. */
function runRemark(program: string, copy: SiteCopy): Finding[] {
  const pages = pagesIn(copy.folder);
  // By their files: remark searches for packages beside the checked files.
  const packaged = (name: string) => path.join(path.dirname(program), '..', name, 'index.js');
  const run = (files: string[], plugins: string[]): Finding[] => {
    if (files.length === 0) return [];
    const uses = [
      ...[...plugins, 'remark-frontmatter'].map(packaged),
      `${packaged('remark-validate-links')}=repository:false`,
    ].flatMap((use) => ['--use', use]);
    const form = ['--no-stdout', '--no-config', '--report', packaged('vfile-reporter-json'), '--ext', 'md,mdx'];
    const said = output(program, [...form, ...uses, ...files], copy.folder, 'stderr');
    const report = JSON.parse(said) as {
      path: string;
      messages: { reason: string; ruleId?: string; fatal: boolean | null }[];
    }[];
    return report.flatMap(({ path: file, messages }) =>
      messages.map(({ reason }) => ({ page: path.relative(copy.root, path.resolve(copy.folder, file)), what: reason })),
    );
  };
  return [
    ...run(
      pages.filter((file) => file.endsWith('.md')),
      [],
    ),
    ...run(
      pages.filter((file) => file.endsWith('.mdx')),
      ['remark-mdx'],
    ),
  ];
}

/** https://github.com/tcort/markdown-link-check */
function runMarkdownLinkCheck(program: string, copy: SiteCopy): Finding[] {
  const config = copy.besides('markdown-link-check.json');
  const replacement = `file://${copy.folder}/`;
  writeFileSync(
    config,
    JSON.stringify({
      ignorePatterns: [{ pattern: NO_NETWORK }, { pattern: '^mailto:' }],
      replacementPatterns: [{ pattern: '^/', replacement }],
    }),
  );
  const said = stripVTControlCharacters(output(program, ['--config', config, ...pagesIn(copy.folder)], copy.folder));
  let page = '';
  return said.split('\n').flatMap((line): Finding[] => {
    page = /^FILE: (.+)$/.exec(line)?.[1] ?? page;
    const what = /\[✖\] (\S+) → Status/.exec(line)?.[1];
    return what === undefined ? [] : [{ page: path.relative(copy.root, path.resolve(copy.folder, page)), what }];
  });
}

/** https://www.npmjs.com/package/mint */
function runMint(program: string, copy: SiteCopy): Finding[] {
  const said = stripVTControlCharacters(
    output(program, ['broken-links', '--check-anchors', '--check-snippets'], copy.folder),
  );
  let page = '';
  return said.split('\n').flatMap((line): Finding[] => {
    const what = /^\s*⎿\s+(.+?)\s*$/.exec(line)?.[1];
    if (what !== undefined) return [{ page: path.relative(copy.root, path.join(copy.folder, page)), what }];
    page = /^\s*(\S+\.mdx?)\s*$/.exec(line)?.[1] ?? page;
    return [];
  });
}

function pagesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.mdx?$/.test(name) && !/(?:^|\/)node_modules\//.test(name))
    .toSorted();
}

/** A program's output, with any exit code: all of them fail if they find problems. */
function output(program: string, args: readonly string[], cwd: string, from: 'stdout' | 'stderr' = 'stdout'): string {
  const run = spawnSync(program, args, { cwd, encoding: 'utf8', maxBuffer: MAX_OUTPUT, timeout: 600_000 });
  if (run.error) throw run.error;
  const isBroken = /^Traceback /m.test(run.stderr);
  if (isBroken) throw new Error(`${program} ended with ${run.status}: ${run.stderr.trim().slice(-2_000)}`);
  if (run[from].trim() === '')
    throw new Error(`${program} said nothing (${run.status}): ${run.stderr.slice(0, 2_000)}`);
  return run[from];
}
