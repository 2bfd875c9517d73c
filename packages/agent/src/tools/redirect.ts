import { join } from 'node:path/posix';
import { z } from 'zod';
import { ConfigEditor } from '@docent/docs-check/read/config-editor';
import { GeneratorEditor } from '@docent/docs-check/read/generator-editor';
import { addressKey } from '@docent/docs-check/read/redirect-table';
import { lineBreakOf } from '@docent/docs-check/read/text-lines';
import { visibleName } from '@docent/docs-check/read/visible-text';
import { findByPath, resolveFile } from './page-reference.ts';
import { defineTool, ToolRefusal, type ToolOutcome } from './tool.ts';
import type { ToolSession } from './tool-session.ts';

const schema = z.strictObject({
  from: z.string().min(1).max(2_000).describe('The address that is no longer a page, starting with /.'),
  to: z.string().min(1).max(2_000).describe('The page, or an address of another site.'),
});

/** Adds a redirect to the site's redirects. Not advertised to models: they edit that file. */
export const redirectTool = defineTool({
  name: 'redirect',
  description: 'Redirects an address to a page or to another site.',
  schema,
  example: { from: '/old-page', to: '/guides/start' },
  run({ from, to }, session) {
    const source = sourceOf(session, from);
    const target = /^https?:\/\//i.test(to.trim()) ? { file: null, address: to.trim() } : pageOf(session, to);
    if (target.address === source) throw new ToolRefusal(`${source} cannot lead to itself.`);
    const { site, resolver } = session.docs;
    if (site.config) return inConfig(session, source, target.address);
    const file = redirectsFile(session);
    if (file !== null) return inFile(session, file, source, target.address);
    const { redirects = null } = site.generator ?? {};
    if (redirects?.format === 'yaml' && target.file !== null) {
      if (resolver.addresses?.isRedirected(source))
        throw new ToolRefusal(`${source} is already redirected, in ${visibleName(redirects.path)}.`);
      return inMap(session, source, { ...target, file: target.file });
    }
    throw new ToolRefusal(manualSteps(session, source, target.address));
  },
});

interface Target {
  file: string | null;
  address: string;
}

/** The old address; one that a page has would hide the page. */
function sourceOf(session: ToolSession, from: string): string {
  const path = from.trim().replace(/^https?:\/\/[^/]+/i, '');
  const page = path === '' || /[:*]/.test(path) ? null : findByPath(session, path);
  const bare = addressKey(path);
  if (page !== null && session.docs.site.pages.includes(page)) {
    throw new ToolRefusal(
      `${visibleName(page)} is a page with that address. To send its readers on, delete it: “Delete page ` +
        `${visibleName(page)} and redirect to …”.`,
    );
  }
  if (bare === '/') throw new ToolRefusal(`${JSON.stringify(from)} is not the address of an old page.`);
  return bare;
}

function pageOf(session: ToolSession, to: string): Target {
  const [path = '', hash = ''] = to.split(/(?=#)/);
  const file = resolveFile(session, path);
  const address = session.docs.resolver.addressOf(file);
  if (address === null || !session.docs.site.pages.includes(file)) {
    throw new ToolRefusal(`${visibleName(file)} is not a page with its own address.`);
  }
  return { file, address: address + hash };
}

function inConfig(session: ToolSession, from: string, to: string): ToolOutcome {
  const { site } = session.docs;
  const config = site.config!;
  if (config.problems.length > 0)
    throw new ToolRefusal(`${visibleName(site.configPath!)} is not valid, so nothing was entered.`);
  const there = config.redirects.find((one) => addressKey(one.from.value) === from);
  if (there) return already(there.source.path, from, to, there.to.value);
  const editor = new ConfigEditor(site);
  editor.addRedirect({ from, to });
  const write = editor.changed();
  session.change({ write });
  return added(from, to, [...write.keys()]);
}

/** A file that is read by where the site is served, and that the repository has already. */
function redirectsFile({ docs: { site }, workspace }: ToolSession): string | null {
  const { root, generator } = site;
  const folders = [join(root, 'public'), join(generator?.folder ?? root, 'static'), root, generator?.folder ?? '', ''];
  const paths = folders.map((folder) => join(folder, '_redirects'));
  return paths.find((path) => workspace.kind(path) === 'text') ?? null;
}

function inFile(session: ToolSession, path: string, from: string, to: string): ToolOutcome {
  const text = session.workspace.readText(path) ?? '';
  const lines = text.split(/\r?\n/).map((line) => line.trim().split(/\s+/));
  const there = lines.find(([old = '']) => old.startsWith('/') && addressKey(old) === from);
  if (there) return already(path, from, to, there[1] ?? '');
  const lineBreak = lineBreakOf(text);
  const status = lines.some(([old, , code]) => old?.startsWith('/') && code === '301') ? ' 301' : '';
  const line = `${from} ${to}${status}`;
  // The first matching line counts, so patterns come last.
  const pattern = lines.findIndex(([old = '']) => /^\/.*[*:]/.test(old));
  const rows = text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
  if (pattern === -1) rows.push(line);
  else rows.splice(pattern, 0, line);
  session.change({ write: new Map([[path, rows.join(lineBreak) + lineBreak]]) });
  return added(from, to, [path]);
}

/** mkdocs-redirects names files: the old address is written as the file that would be there. */
function inMap(session: ToolSession, from: string, { file, address }: Target & { file: string }): ToolOutcome {
  const { docs } = session;
  const old = join(docs.site.root, `${from.replace(/^\//, '')}.md`);
  const editor = GeneratorEditor.of(docs.assuming([old]), new Map());
  if (!editor?.addRedirect(old, file)) throw new ToolRefusal(manualSteps(session, from, address));
  const write = editor.changed();
  session.change({ write });
  return added(from, address, [...write.keys()]);
}

function manualSteps({ docs: { site } }: ToolSession, from: string, to: string): string {
  const path = visibleName(site.generator?.redirects?.path ?? site.configPath ?? '');
  switch (site.kind) {
    case 'docusaurus':
      return site.generator?.redirects
        ? `Redirects are in ${path}, which is code: add { from: ${JSON.stringify(from)}, to: ${JSON.stringify(to)} } to the plugin client-redirects there yourself.`
        : 'The site has no plugin client-redirects ' +
            '(https://docusaurus.io/docs/api/plugins/@docusaurus/plugin-client-redirects) and no file ' +
            'static/_redirects, so it cannot have redirects.';
    case 'mkdocs':
      return site.generator?.redirects
        ? `Redirects are in ${path}, in a form that this editor cannot add to: enter ` +
            `${JSON.stringify(from)} under redirect_maps there yourself.`
        : `The site does not use the plugin mkdocs-redirects (https://github.com/mkdocs/mkdocs-redirects), so it cannot have redirects.`;
    case 'mdbook':
      return `Redirects are in ${path}: enter them under [output.html.redirect] there yourself, as ${JSON.stringify(`${from}.html`)} = ${JSON.stringify(`${to}.html`)}.`;
    case 'starlight':
      return `Redirects are in ${path}, which is code: add ${JSON.stringify(from)}: ${JSON.stringify(to)} under redirects there yourself.`;
    case 'hugo':
      return (
        `Redirects of Hugo are \`aliases\` in the front matter of the page that readers are sent to: add ` +
        `${JSON.stringify(from)} there.`
      );
    case 'nextra':
    case 'fumadocs':
      return `Redirects are in ${path}, which is code: add { source: ${JSON.stringify(from)}, destination: ${JSON.stringify(to)}, permanent: true } to redirects there yourself.`;
    case 'sphinx':
      return 'Sphinx has no built-in redirects: an extension such as sphinx-reredirects, or the web server, has to send readers on.';
    case 'vitepress':
      return 'VitePress has no built-in redirects, and there is no file public/_redirects: the web server has to send readers on.';
    default:
      return 'These files are not a site with redirects.';
  }
}

function already(path: string, from: string, to: string, there: string): ToolOutcome {
  if (addressKey(there) !== addressKey(to)) {
    throw new ToolRefusal(`${from} is already redirected, to ${there}, in ${visibleName(path)}.`);
  }
  return { text: `${from} leads to ${there} already.`, changed: [], data: { tool: 'redirect', from, to: there, path } };
}

function added(from: string, to: string, changed: string[]): ToolOutcome {
  const path = changed[0] ?? '';
  return { text: `Added a redirect from ${from} to ${to}.`, changed, data: { tool: 'redirect', from, to, path } };
}
