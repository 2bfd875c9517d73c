import { readPython } from '../config/python-value.ts';
import { fieldOf, fieldsOf, isOpen, itemsOf, textOf, type Place, type StaticValue } from '../config/static-value.ts';
import { folderOf } from '../read/folder.ts';
import type { PageDialect } from '../read/page-dialect.ts';
import { pageFormatOf } from '../read/page-format.ts';
import { below, inRepository } from '../read/repository-path.ts';
import type { Generator, GeneratorEntry } from './generator.ts';
import { declaredHarmless, Makers, uncheckedBy, type Maker, type Unchecked } from './makers.ts';
import { MAKING } from './mkdocs-plugins.ts';
import { SphinxAddresses, type SphinxLayout } from './sphinx-addresses.ts';
import { labelKey, readSphinxDocument, withoutSuffix, type SphinxDocument } from './sphinx-documents.ts';

type Read = (path: string) => string | null;

/** Extensions that read Markdown by the rules of MyST. */
const MYST = /\b(?:myst_parser|myst_nb)\b/;
/** Extensions that make pages, and their default folders. */
const MAKING_PAGES: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^autoapi\b/, ['autoapi', 'api']],
  [/^autodoc2$/, ['apidocs']],
  [/^sphinx_gallery\b/, ['auto_examples', 'gallery', 'auto_gallery', 'auto_tutorials']],
  [/^(?:sphinx\.ext|sphinxcontrib)\.apidoc$|^exhale$|^sphinx_automodapi\b|^sphinx_autopackagesummary$/, ['api']],
];
/** Extensions that make neither pages nor labels. */
const HARMLESS =
  /^(?:sphinx\.(?:ext|builders|domains)\.\w+|myst_parser|myst_nb|sphinx_(?:design|copybutton|tabs|inline_tabs|togglebutton|sitemap|rtd_theme|argparse|click|autodoc_typehints|issues|remove_toctrees|reredirects|last_updated_by_git|prompt|thebe|favicon|substitution_extensions|llms_txt|llm|immaterial|book_theme|subfigure|examples|codeautolink|paramlinks|github_changelog|contributors|version_warning|basic_ng|toolbox|lint|new_tab_link|external_toc|c_autodoc|iconify|markdown_tables|autobuild|comments|fontawesome|math_dollar|proof|exercise|charts|datatables|removed_in|tippy|toggleprompt|pyreverse|qt_documentation|jinja2?|hoverxref|notfound|gitstamp|audeering_theme|reports|data_viewer|terminal|term|tags)(?:\.\w+)*|sphinxext\.(?:opengraph|rediraffe|remoteliteralinclude|linkcheckdiff)|sphinxcontrib\.(?:mermaid|bibtex|spelling|programoutput|plantuml|jquery|httpdomain|openapi|redoc|youtube|video|svg2pdfconverter|rsvgconverter|inkscapeconverter|cairosvgconverter|asciinema|blockdiag|datatemplates|images|napoleon|towncrier|log_cabinet|autodoc_pydantic|details\.directive|googleanalytics|googletagmanager|katex|tikz|gtagjs|confluencebuilder|ansibleautodoc)|towncrier|sphinxcontrib\.towncrier\.ext|nbsphinx|nbsphinx_link|numpydoc|hoverxref\.extension|notfound\.extension|jupyter_sphinx(?:\.\w+)*|jupyterlite_sphinx|IPython\.sphinxext\.\w+|matplotlib\.sphinxext\.\w+|linuxdoc\.\w+|rst2pdf\.pdfbuilder|pallets_sphinx_themes|pydata_sphinx_theme|furo|furo\.sphinxext|alabaster|autodoc_traits|sphinx_pyscript|releases|changelog|enum_tools\.autoenum|autodocsumm|auto_intersphinx|versionwarning\.extension|sphinxemoji\.sphinxemoji|click_extra\.sphinx|docutils_react_docgen|rst_to_myst|breathe|scanpydoc\.\w+|guzzle_sphinx_theme|readthedocs_ext\.\w+|multiproject|ogp|crate\.\w+(?:\.\w+)*|sphinxarg\.ext|ablog\.\w+|erbsland\.\w+)$/;
/** Directives that are in the text of programs, with labels. */
const READS_PROGRAMS =
  /^(?:sphinx\.ext\.(?:autodoc|autosummary|apidoc)|autoapi\b.*|autodoc2|autodoc_traits|sphinx_automodapi\b.*|numpydoc|breathe|exhale)$/;

const MAX_PROGRAMS = 3_000;
/** Files that name the docs' builder. */
const BUILD_FILES = ['.readthedocs.yaml', '.readthedocs.yml', 'Makefile', 'tox.ini', 'noxfile.py', 'pyproject.toml'];
/** Sphinx always excludes these: `EXCLUDE_PATHS` of sphinx.project 9.0. */
const LEFT_OUT = ['**/_sources', '.#*', '**/.#*', '*.lproj/**'];

/** Whether a `conf.py` has Sphinx settings, for docs with MyST Markdown and a first page. */
export function isSphinxConfig(path: string, text: string, read: Read): boolean {
  if (!/^(?:extensions|html_theme|project|source_suffix|master_doc|root_doc|html_title)\b/m.test(text)) return false;
  // It reads Markdown by other rules.
  if (/\b(?:recommonmark|m2r2?|sphinx_mdinclude)\b/.test(text)) return false;
  const values = readPython(path, text);
  const root = rootDocument(values);
  return ['.rst', '.md', '.txt', '.ipynb'].some((ending) => read(joined(folderOf(path), root + ending)) !== null);
}

/**
 * Reads `conf.py` without running it, and the labels and `toctree` directives of all documents.
 * https://www.sphinx-doc.org/en/master/usage/configuration.html
 * @param paths all files of the repository; absent if only the folder is wanted
 */
export function readSphinx(configPath: string, read: Read, docsDir?: string, paths: readonly string[] = []): Generator {
  const text = read(configPath) ?? '';
  const folder = folderOf(configPath);
  const values = readPython(configPath, text);
  const top: Place = { path: configPath, start: 0, end: 0 };
  const extensions = itemsOf(values.get('extensions')).flatMap((item) => textOf(item) ?? []);
  const usesMyst = MYST.test(text);
  const suffixes = suffixesOf(values.get('source_suffix'), usesMyst, text);
  const excluded = exclusions(values, text);
  const inside = (path: string) => below(path, folder);
  const isDocument = (path: string) => {
    const own = inside(path);
    return own !== null && suffixes.some((suffix) => own.endsWith(suffix)) && !excluded(own);
  };
  const documents = paths.filter(isDocument);
  const byName = new Map(documents.map((path) => [withoutSuffix(inside(path)!, suffixes), path]));
  const root = rootDocument(values);
  const readDocuments = new Map<string, SphinxDocument>();
  const texts = new Map([[configPath, text]]);
  for (const path of documents) {
    const source = /\.(?:rst|md|txt|markdown)$/.test(path) ? read(path) : null;
    if (source === null) continue;
    const document = readSphinxDocument(path, source);
    readDocuments.set(path, document);
    if (document.entries.length > 0) texts.set(path, source);
  }
  const makers = makersOf(values, { folder, docsDir, text, top }, readDocuments, read);
  const labels = new Set([...readDocuments.values()].flatMap((document) => document.labels));
  // Included files have labels too.
  for (const path of paths) {
    if (inside(path) === null || readDocuments.has(path) || !/\.(?:rst|md|txt|inc)$/.test(path)) continue;
    const source = read(path);
    if (source !== null) for (const label of readSphinxDocument(path, source).labels) labels.add(label);
  }
  const openLabels = whyLabelsAreOpen(values, extensions, makers, top);
  const layout: SphinxLayout = {
    folder,
    documents: byName,
    known: new Set(paths),
    suffixes,
    labels,
    isLabelOpen: openLabels !== null,
    hasFolders: BUILD_FILES.some((name) =>
      [name, joined(folder, name)].some((file) => read(file)?.includes('dirhtml')),
    ),
    inPrograms: extensions.some((name) => READS_PROGRAMS.test(name)) ? programLabels(paths, read) : () => false,
    describesObjects: describesObjects(extensions, documents, read),
    linksAreExternal: /^myst_(?:all_links_external|commonmark_only|gfm_only)\b/m.test(text),
    readsHtmlImages: text.includes('html_image'),
    staticFolders: foldersOf(values.get('html_static_path')),
    extraFolders: foldersOf(values.get('html_extra_path')),
    makers: new Makers(makers),
    redirects: /\b(?:sphinx_reredirects|rediraffe|sphinx_redirects?)\b/.test(text),
  };
  const entries = entriesOf(readDocuments, layout);
  const usesOtherToc = /\bsphinx_external_toc\b/.test(text);
  const depth = fieldOf(values.get('myst_heading_anchors'));
  const level = depth?.type === 'scalar' && typeof depth.value === 'number' ? Math.min(6, Math.max(0, depth.value)) : 0;
  const dialect = `myst-${level}` as PageDialect;
  const isPage = (path: string) => (isRst(path) || (usesMyst && pageFormatOf(path) === 'markdown')) && isDocument(path);
  const rst = documents.filter(isRst);
  return {
    folder,
    root: folder,
    content: [folder],
    texts,
    problems: [],
    unchecked: [
      ...uncheckedBy(makers),
      ...(openLabels ? [openLabels] : []),
      ...(rst.length > 0
        ? [
            {
              at: top,
              message: `${rst.length === 1 ? '1 page is' : `${rst.length} pages are`} reStructuredText. Links, images, included files, toctree entries, and the roles doc, ref, numref, any, and download are checked. Other roles, raw HTML, and directives of extensions are not.`,
            },
          ]
        : []),
    ],
    navigation: usesOtherToc
      ? null
      : {
          entries,
          isWhole: !isOpen(values.get('exclude_patterns')) && entries.length > 0,
          mayBeLeftOut: (path) =>
            readDocuments.get(path)?.isOrphan !== false || withoutSuffix(inside(path) ?? '', suffixes) === root,
          isWholeSite: true,
          edit: null,
        },
    hasTemplates: false,
    hasOwnIds: values.has('myst_heading_slug_func') || (depth !== undefined && depth.type !== 'scalar'),
    components: null,
    redirects: null,
    definesLabels: ['rst_epilog', 'rst_prolog'].flatMap((name) => {
      const at = values.get(name)?.at;
      return at ? [{ at: at.path === '' ? top : at, message: NAMES_IN_CONF }] : [];
    })[0],
    dialectOf: (path) => (isRst(path) ? 'rst' : dialect),
    isPage,
    isPartial: (path) => !isDocument(path),
    addresses: (set) => new SphinxAddresses(layout, set),
  };
}

const NAMES_IN_CONF =
  'References to named targets are not checked: rst_prolog or rst_epilog may define them for all pages.';

function isRst(path: string): boolean {
  return path.endsWith('.rst') || path.endsWith('.txt');
}

function rootDocument(values: ReadonlyMap<string, StaticValue>): string {
  return textOf(values.get('root_doc')) ?? textOf(values.get('master_doc')) ?? 'index';
}

function suffixesOf(value: StaticValue | undefined, usesMyst: boolean, text: string): string[] {
  const own = textOf(value) ?? null;
  const found =
    own === null ? [...itemsOf(value).flatMap((item) => textOf(item) ?? []), ...fieldsOf(value).keys()] : [own];
  if (found.length === 0) found.push('.rst');
  if (usesMyst && !found.includes('.md')) found.push('.md');
  if (/\b(?:myst_nb|nbsphinx)\b/.test(text) && !found.includes('.ipynb')) found.push('.ipynb');
  return found.filter((suffix) => suffix.startsWith('.'));
}

/** Excluded files, by path in the folder of the sources. */
function exclusions(values: ReadonlyMap<string, StaticValue>, text: string): (inside: string) => boolean {
  const listed = (name: string) => itemsOf(values.get(name)).flatMap((item) => textOf(item) ?? []);
  const patterns = [
    ...listed('exclude_patterns'),
    ...listed('templates_path'),
    ...listed('html_extra_path'),
    ...LEFT_OUT,
  ];
  if (/\bmyst_nb\b/.test(text)) patterns.push('**.ipynb_checkpoints');
  const excluded = patterns.map(matcher);
  const included = listed('include_patterns').map(matcher);
  return (inside) => {
    const parts = inside.split('/');
    // A folder that matches is not entered.
    const isExcluded = parts.some((_, i) => excluded.some((matches) => matches(parts.slice(0, i + 1).join('/'))));
    return isExcluded || (included.length > 0 && !included.some((matches) => matches(inside)));
  };
}

/** `sphinx.util.matching`: `**` is anything, `*` and `?` anything without a slash. */
export function matcher(pattern: string): (path: string) => boolean {
  const source = pattern
    .replace(/\/+$/, '')
    .replace(/^\.\//, '')
    .replace(/\*\*\/?|\*|\?|\[!?[^\]]+\]|[\\^$.|+(){}[\]]/g, (found) => {
      if (found === '**/') return '(?:.*/)?';
      if (found === '**') return '.*';
      if (found === '*') return '[^/]*';
      if (found === '?') return '[^/]';
      return found.length > 1 ? found.replace(/^\[!/, '[^').replaceAll('\\', '\\\\') : `\\${found}`;
    });
  let compiled: RegExp;
  try {
    compiled = new RegExp(`^${source}$`);
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return () => false;
    throw thrown;
  }
  return (path) => compiled.test(path);
}

function foldersOf(value: StaticValue | undefined): string[] {
  return itemsOf(value).flatMap((item) => textOf(item)?.replace(/^\.\/|\/+$/g, '') ?? []);
}

interface About {
  folder: string;
  docsDir: string | undefined;
  text: string;
  top: Place;
}

function makersOf(
  values: ReadonlyMap<string, StaticValue>,
  { folder, docsDir, text, top }: About,
  documents: ReadonlyMap<string, SphinxDocument>,
  read: Read,
): Maker[] {
  const harmless = declaredHarmless(folder, read, docsDir);
  const makers: Maker[] = [];
  const named = [...values].flatMap(([name, value]) =>
    /^(?:autoapi_root|autodoc2_output_dir|apidoc_output_dir)$/.test(name)
      ? (textOf(value) ?? [])
      : name === 'sphinx_gallery_conf'
        ? itemsOf(fieldOf(value, 'gallery_dirs')).flatMap((item) => textOf(item) ?? [])
        : [],
  );
  for (const item of itemsOf(values.get('extensions'))) {
    const name = textOf(item);
    if (name === undefined || harmless.has(name)) continue;
    const known = MAKING_PAGES.find(([pattern]) => pattern.test(name));
    if (!known && HARMLESS.test(name)) continue;
    const file = known
      ? null
      : [
          folder,
          joined(folder, '_ext'),
          joined(folder, '_extensions'),
          joined(folder, 'exts'),
          joined(folder, 'sphinxext'),
        ];
    const source = file?.flatMap((place) => read(`${joined(place, name.replaceAll('.', '/'))}.py`) ?? [])[0] ?? null;
    if (source !== null && !MAKING.test(source)) continue;
    makers.push({
      name: `The extension ${name}`,
      at: item.at,
      key: name,
      source,
      folders: known ? [...known[1], ...named] : [],
    });
  }
  if (isOpen(values.get('extensions'))) {
    const at = values.get('extensions')!.at.path === '' ? top : values.get('extensions')!.at;
    makers.push({ name: 'An extension that conf.py computes', at, key: null, source: null, folders: [] });
  }
  if (MAKING.test(text) && !harmless.has('conf.py')) {
    makers.push({ name: 'conf.py', at: top, key: 'conf.py', source: text, folders: [] });
  }
  const made = [...documents].flatMap(([path, { madeIn }]) =>
    madeIn.flatMap((name) => folderIn(folder, path, name) ?? []),
  );
  if (made.length > 0) {
    makers.push({ name: 'autosummary', at: top, key: null, source: null, folders: [...new Set(made)] });
  }
  return makers;
}

/** A folder that a document names, in the folder of the sources. */
function folderIn(root: string, path: string, name: string): string | null {
  const joinedPath = name.startsWith('/') ? inRepository(root, `.${name}`) : inRepository(folderOf(path), name);
  return joinedPath === null ? null : below(joinedPath, root);
}

/** Why a label that no document defines may be defined anyway. */
function whyLabelsAreOpen(
  values: ReadonlyMap<string, StaticValue>,
  extensions: readonly string[],
  makers: readonly Maker[],
  top: Place,
): Unchecked | null {
  const because = extensions.includes('sphinx.ext.autosectionlabel')
    ? 'sphinx.ext.autosectionlabel makes labels of headings'
    : namesProjects(values.get('intersphinx_mapping'))
      ? 'intersphinx_mapping names other projects that may define them'
      : makers.some(({ key, folders }) => key !== 'conf.py' && folders.length === 0)
        ? 'an extension that Docent does not know may define them'
        : null;
  return because === null
    ? null
    : { at: top, message: `Links to labels that no page defines are not checked: ${because}.` };
}

function namesProjects(mapping: StaticValue | undefined): boolean {
  return mapping !== undefined && (isOpen(mapping) || fieldsOf(mapping).size > 0);
}

/** Labels in programs, whose texts `autodoc` shows; searched once one is missing. */
function programLabels(paths: readonly string[], read: Read): (label: string) => boolean {
  let known: Set<string> | null = null;
  const programs = paths.filter((path) => /\.(?:pyx?|pyi|h|hpp|c|cpp)$/.test(path));
  return (label) => {
    if (programs.length > MAX_PROGRAMS) return true;
    if (!known) {
      known = new Set();
      for (const path of programs) {
        for (const [, name] of (read(path) ?? '').matchAll(/\.\.[ \t]+_`?([^`:\n]{1,200})`?:[ \t]*$/gm))
          known.add(labelKey(name!));
      }
    }
    return known.has(label);
  };
}

/** Whether a bare name may be a function, a class, a term or an option. */
function describesObjects(extensions: readonly string[], documents: readonly string[], read: Read): boolean {
  if (extensions.some((name) => READS_PROGRAMS.test(name) || /domain|openapi|click|argparse/.test(name))) return true;
  return documents.some((path) =>
    /(?:^|\n)[ \t]*(?:\.\. |[`:]{3,}\{)(?:(?:py|c|cpp|js|rst|std|http):|function|class|module|data|option|program|envvar|confval|glossary|describe|object)/.test(
      read(path) ?? '',
    ),
  );
}

function entriesOf(documents: ReadonlyMap<string, SphinxDocument>, layout: SphinxLayout): GeneratorEntry[] {
  return [...documents].flatMap(([path, { entries }]) =>
    entries.flatMap(({ value, isPattern, at, list }): GeneratorEntry[] => {
      const scope = folderOf(path);
      if (!isPattern) return [{ value, at, scope, list }];
      const wanted = folderIn(layout.folder, path, value);
      const matches = wanted === null ? () => false : matcher(wanted);
      return [...layout.documents]
        .filter(([name, document]) => document !== path && matches(name))
        .map(([name]) => ({ value: `/${name}`, at, scope: layout.folder }));
    }),
  );
}

function joined(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
