import { describeSite } from '../read/describe-site.ts';
import { dialectOf, type Site } from '../read/site.ts';
import { NotRead, withinWork } from '../read/parse-work.ts';
import { guarded, TimeUp } from '../read/time-limit.ts';
import { cssEffects } from './css-effects.ts';
import { dataEffects, readData } from './data-effects.ts';
import { fileKindOf } from './docs-files.ts';
import { EffectCollector, type Effects } from './effects.ts';
import { htmlEffects } from './html-effects.ts';
import { pageEffects, readAsMdx } from './page-effects.ts';
import { settingsEffects } from './settings-effects.ts';
import type { TemplateLanguage } from './template-effects.ts';

/** A page is read in its dialect, as MDX, and in parts. */
const READINGS = 4;

/** Reads what files of a site do. The result depends on each file alone. */
export class EffectReader {
  readonly #site: Site;
  readonly #template: TemplateLanguage;

  constructor(site: Site) {
    this.#site = site;
    this.#template = templateOf(site);
  }

  /** Never throws: `unread` lists the unreadable parts, and the rest are the results. */
  read(path: string, text: string): Effects {
    let into = new EffectCollector();
    try {
      guarded(() => {
        into = new EffectCollector();
        withinWork(READINGS * text.length, () => this.#read(path, text, into));
      });
    } catch (thrown) {
      // Any failure is caused by the file, and a person must check it.
      const why = thrown instanceof NotRead ? thrown.message : 'could not be read';
      into.unread(thrown instanceof TimeUp ? 'takes too long to be read' : why);
    }
    return into.effects;
  }

  #read(path: string, text: string, into: EffectCollector): void {
    const kind = fileKindOf(path, this.#site);
    switch (kind) {
      case 'page': {
        const dialect = dialectOf(this.#site, path) ?? 'markdown';
        const reading = { path, dialect, template: this.#template };
        pageEffects(text, reading, into);
        // Mintlify reads MDX in pages of either name.
        if (dialect === 'mintlify-markdown') readAsMdx(text, reading, into);
        return;
      }
      case 'markup':
        into.text(text);
        return htmlEffects(text, into, this.#template === 'vue');
      case 'settings':
      case 'data': {
        const data = readData(path, text, into);
        if (data === undefined) return;
        dataEffects(data, into);
        if (kind === 'settings') settingsEffects(path, data, into);
        return;
      }
      case 'other page':
        for (const [line] of text.matchAll(DIRECTIVES)) into.code('a template call', line);
        return into.text(text);
      case 'code':
        if (/\.(?:css|s[ac]ss|less|styl)$/i.test(path)) cssEffects(text, into);
        return into.text(text);
      case 'redirects':
      case 'text':
      case 'other':
        return into.text(text);
      case 'media':
    }
  }
}

/** What reStructuredText, AsciiDoc and Org include, pass through or run. */
const DIRECTIVES =
  /^[ \t]*\.\.[ \t]+(?:raw|include|literalinclude|csv-table|plot|jupyter-execute|ipython|exec|program-output|command-output|runblock|meta)::[^\n]{0,500}|^(?:include|image)::(?:https?:|\.\.\/)[^\n]{0,500}|pass:[a-z,]*\[[^\n]{0,500}|^\+{4,}[^\n]{0,100}|^#\+(?:INCLUDE|BEGIN_EXPORT)[^\n]{0,500}|^[ \t]*:file:[^\n]{0,500}/gim;

function templateOf(site: Site): TemplateLanguage {
  if (site.kind === 'vitepress') return 'vue';
  if (site.kind === 'mkdocs') return 'jinja';
  if (site.kind === 'hugo') return 'go';
  switch (describeSite(site).otherGenerator) {
    case 'VuePress':
    case 'Nuxt':
      return 'vue';
    case 'Jekyll':
    case 'Eleventy':
      return 'liquid';
    default:
      return null;
  }
}
