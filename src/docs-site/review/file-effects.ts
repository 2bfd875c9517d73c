import { describeSite } from '../read/describe-site.ts';
import { dialectOf, type Site } from '../read/site.ts';
import { TimeUp, withinTime } from '../read/time-limit.ts';
import { cssEffects } from './css-effects.ts';
import { dataEffects, readData } from './data-effects.ts';
import { fileKindOf } from './docs-files.ts';
import { EffectCollector, type Effects } from './effects.ts';
import { htmlEffects } from './html-effects.ts';
import { pageEffects, readAsMdx } from './page-effects.ts';
import { settingsEffects } from './settings-effects.ts';
import type { TemplateLanguage } from './template-effects.ts';

/** Processor time: an honest megabyte takes some two seconds. */
const LEAST_MS = 4_000;
const MS_PER_CHARACTER = 0.015;
/** For all files of a review together: hostile ones must not add up. */
const ALL_MS = 60_000;
/** By the clock, on a machine that has much else to do: a file is given up only for the work that it makes. */
const BUSY = 8;
const ALL_CLOCK_MS = 120_000;

/** Reads what files of a site do, within a time for all of them. */
export class EffectReader {
  readonly #site: Site;
  readonly #template: TemplateLanguage;
  #spent = 0;
  #until: number | null = null;

  constructor(site: Site) {
    this.#site = site;
    this.#template = templateOf(site);
  }

  /** Never throws: of what cannot be read, `unread` says so, and the rest is what was seen. */
  read(path: string, text: string): Effects {
    this.#until ??= performance.now() + ALL_CLOCK_MS;
    const start = processorMs();
    const allowed = Math.min(LEAST_MS + text.length * MS_PER_CHARACTER, ALL_MS - this.#spent);
    let into: EffectCollector;
    for (let patience = 1; ; patience *= BUSY) {
      into = new EffectCollector();
      const limit = Math.ceil(Math.min(allowed * patience, this.#until - performance.now()));
      try {
        if (limit <= 0) throw new TimeUp('There is no time left.');
        withinTime(limit, () => this.#read(path, text, into));
        break;
      } catch (thrown) {
        const isWaiting = thrown instanceof TimeUp && limit > 0 && processorMs() - start < allowed * 0.7;
        if (isWaiting && patience === 1) continue;
        // Whatever went wrong, it is the file's doing, and a person has to look at it.
        into.unread(thrown instanceof TimeUp ? 'takes too long to be read' : 'could not be read');
        break;
      }
    }
    this.#spent += processorMs() - start;
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

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** What reStructuredText, AsciiDoc and Org take in, pass through or run. */
const DIRECTIVES =
  /^[ \t]*\.\.[ \t]+(?:raw|include|literalinclude|csv-table|plot|jupyter-execute|ipython|exec|program-output|command-output|runblock|meta)::[^\n]{0,500}|^(?:include|image)::(?:https?:|\.\.\/)[^\n]{0,500}|pass:[a-z,]*\[[^\n]{0,500}|^\+{4,}[^\n]{0,100}|^#\+(?:INCLUDE|BEGIN_EXPORT)[^\n]{0,500}|^[ \t]*:file:[^\n]{0,500}/gim;

function templateOf(site: Site): TemplateLanguage {
  if (site.kind === 'vitepress') return 'vue';
  if (site.kind === 'mkdocs') return 'jinja';
  switch (describeSite(site).otherGenerator) {
    case 'VuePress':
    case 'Nuxt':
      return 'vue';
    case 'Hugo':
      return 'go';
    case 'Jekyll':
    case 'Eleventy':
      return 'liquid';
    default:
      return null;
  }
}
