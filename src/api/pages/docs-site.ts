import type { Context } from 'koa';
import { LRUCache } from 'lru-cache';
import { tagOf } from '../middleware/entity-tag.ts';
import { PAGE_HEADERS } from '@docent/pages/layout';
import { DOCS_SCRIPT } from '@docent/pages/docs/browser-script';
import { docsPage, markdownOf, missingPage } from '@docent/pages/docs/docs-page';
import { DOCS_STYLE } from '@docent/pages/docs/docs-style';
import { frame } from '@docent/pages/docs/frame';
import { DocsLibrary, withinDocs, type PageEntry, type PageGroup } from '@docent/pages/docs/library';
import { REFERENCE_SCRIPT } from '@docent/pages/docs/reference-script';
import { REFERENCE_STYLE } from '@docent/pages/docs/reference-style';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { markup, type Html } from '@docent/pages/html';

/** The page that holds the reference. @param home this server's path, as browsers see it */
function referencePage(prefix: string, home: string): Html {
  return markup`<main id="docs.content" class="reference-page" tabindex="-1">
<h1>API reference</h1>
<p class="lead">Every operation of this server, from the contract that it serves.</p>
<p>Open an operation and press <strong>Try it out</strong>. Requests go to this server alone, and do what they say. They are sent with the session of
this browser where you have signed in, or with a key that you paste under <strong>Authorize</strong>: it is forgotten when you leave the page.
<a href="${prefix}/reference/api">How the API works</a> ·
<a href="${prefix}/reference/errors">Errors</a> · <a href="${home}openapi.json">openapi.json</a> · <a href="${home}openapi.yaml">openapi.yaml</a></p>
<h2 class="unseen">Operations</h2>
<div id="reference" data-home="${home}"><p class="loading">Loading the contract …</p></div>
<noscript><p>The reference needs JavaScript. <a href="${home}openapi.yaml">openapi.yaml</a> has all of it.</p></noscript>
</main>`;
}

/** The files of swagger-ui-dist that the reference uses, and those that its license requires. */
export const REFERENCE_FILES = ['swagger-ui-bundle.js', 'swagger-ui.css', 'LICENSE', 'NOTICE'] as const;

/** The docs of this version, in `docs/` of a checkout and of the published package. */
const FOLDER = path.join(import.meta.dirname, '../../../docs');

/** A built package has them in `dist/reference`. */
const BUILT = path.join(import.meta.dirname, '../../../dist/reference');

/** The folder of the reference's files: in the published package, or in a checkout's node_modules. */
function referenceFolder(): string {
  if (existsSync(path.join(BUILT, REFERENCE_FILES[0]))) return BUILT;
  return path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
}

/** The reference's program and style sheet. @throws if the package was built without them */
async function readReference(name: 'swagger-ui-bundle.js' | 'swagger-ui.css'): Promise<string> {
  return readFile(path.join(referenceFolder(), name), 'utf8');
}

interface Found {
  type: string;
  text: string | Buffer;
  status?: number;
  headers?: Record<string, string>;
}

/** The files of pages, by name below `/docs/assets/`. */
const ASSETS: Record<string, { type: string; text: () => string | Promise<string> }> = {
  'docs.css': { type: 'text/css', text: () => DOCS_STYLE },
  'docs.js': { type: 'text/javascript', text: () => DOCS_SCRIPT },
  'reference.css': { type: 'text/css', text: () => REFERENCE_STYLE },
  'reference.js': { type: 'text/javascript', text: () => REFERENCE_SCRIPT },
  'swagger-ui.css': { type: 'text/css', text: () => readReference('swagger-ui.css') },
  'swagger-ui.js': { type: 'text/javascript', text: () => readReference('swagger-ui-bundle.js') },
};

/** No content of others, and no inline code. The images of the reference's style sheet are within it. */
const SECURITY = {
  ...PAGE_HEADERS,
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ].join('; '),
};
/** An image that is opened directly runs no code either. */
const PICTURE_SECURITY = { 'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox" };
const FOR_EVER = { 'Cache-Control': 'public, max-age=31536000, immutable' };

/** The product's docs at `/docs`, and the reference of its API at `/docs/api`. */
export class DocsSite {
  readonly #library = new DocsLibrary(FOLDER);
  readonly #pathOf: (path: string) => string;
  readonly #assets = new LRUCache<string, { text: string; version: string }>({ max: 16 });

  /** @param pathOf a path of this server as browsers see it */
  constructor(pathOf: (path: string) => string) {
    this.#pathOf = pathOf;
  }

  /** Answers a `GET` or `HEAD`. @returns whether the address is one of the docs' */
  async answer(ctx: Context): Promise<boolean> {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return false;
    if (ctx.path !== '/docs' && !ctx.path.startsWith('/docs/')) return false;
    const address = ctx.path.slice('/docs/'.length);
    const place = address === '' && ctx.path !== '/docs' ? '/' : await this.#movedTo(address);
    if (place !== null) {
      ctx.redirect(withinDocs(place, this.#prefix));
      ctx.status = 308;
      ctx.body = '';
      return true;
    }
    const found = (await this.#find(address, ctx)) ?? (await this.#missing(address, ctx));
    if (!found) return false;
    ctx.status = found.status ?? 200;
    ctx.set('Cache-Control', found.status === 404 ? 'no-store' : 'no-cache');
    ctx.set('X-Content-Type-Options', 'nosniff');
    ctx.set(SECURITY);
    if (found.headers) ctx.set(found.headers);
    ctx.type = typeof found.text === 'string' ? `${found.type}; charset=utf-8` : found.type;
    ctx.body = found.text;
    return true;
  }

  get #prefix(): string {
    return this.#pathOf('/docs');
  }

  async #movedTo(address: string): Promise<string | null> {
    if (address === 'index') return '/';
    return address === '' ? null : this.#library.redirect(address.replace(/\/$/, ''));
  }

  async #find(address: string, ctx: Context): Promise<Found | null> {
    const prefix = this.#prefix;
    if (address === 'api') return this.#reference();
    if (address === 'search.json')
      return { type: 'application/json', text: JSON.stringify(await this.#library.sections(prefix)) };
    if (address === 'llms.txt') return { type: 'text/plain', text: listing(await this.#library.groups(), prefix) };
    if (address.startsWith('assets/')) return this.#asset(address.slice('assets/'.length), ctx);
    if (address.startsWith('images/')) {
      const image = await this.#library.image(address.slice('images/'.length));
      return image && { type: image.type, text: image.content, headers: PICTURE_SECURITY };
    }
    const groups = await this.#library.groups();
    const entries = groups.flatMap(({ pages }) => pages);
    if (address.endsWith('.md')) {
      const name = address.slice(0, -'.md'.length);
      const entry = entryOf(entries, name === 'index' ? '' : name);
      return entry ? { type: 'text/markdown', text: await this.#library.source(entry, prefix) } : null;
    }
    const entry = entryOf(entries, address);
    return entry ? this.#page(entry, groups) : null;
  }

  async #page(entry: PageEntry, groups: readonly PageGroup[]): Promise<Found> {
    const page = await this.#library.page(entry, this.#prefix);
    const title = entry.path === '' ? 'Docent docs' : `${entry.title} · Docent docs`;
    const markdown = markdownOf(entry, this.#prefix);
    return this.#framed(
      { title, description: entry.description, markdown },
      docsPage(page, entry, groups, this.#prefix),
    );
  }

  async #reference(): Promise<Found> {
    return {
      type: 'text/html',
      text: frame(
        {
          title: 'API reference · Docent docs',
          prefix: this.#prefix,
          home: this.#pathOf('/'),
          styles: await this.#urls('swagger-ui.css', 'docs.css', 'reference.css'),
          scripts: await this.#urls('docs.js', 'swagger-ui.js', 'reference.js'),
          current: 'reference',
        },
        referencePage(this.#prefix, this.#pathOf('/')),
      ),
    };
  }

  /** Programs learn of an address without a page as of any other. */
  async #missing(address: string, ctx: Context): Promise<Found | null> {
    if (ctx.accepts(['json', 'html']) !== 'html') return null;
    const content = missingPage(address, await this.#library.groups(), this.#prefix);
    return { ...(await this.#framed({ title: 'Not found · Docent docs' }, content)), status: 404 };
  }

  async #framed(
    parts: { title: string; description?: string; markdown?: string },
    content: Parameters<typeof frame>[1],
  ): Promise<Found> {
    const whole = {
      ...parts,
      prefix: this.#prefix,
      home: this.#pathOf('/'),
      styles: await this.#urls('docs.css'),
      scripts: await this.#urls('docs.js'),
      current: 'docs' as const,
    };
    return { type: 'text/html', text: frame(whole, content) };
  }

  /** Addresses that change with their content: browsers cache them forever. */
  async #urls(...names: string[]): Promise<string[]> {
    return Promise.all(
      names.map(async (name) => `${this.#prefix}/assets/${name}?v=${(await this.#read(name)).version}`),
    );
  }

  async #asset(name: string, ctx: Context): Promise<Found | null> {
    const asset = Object.hasOwn(ASSETS, name) ? ASSETS[name] : undefined;
    if (!asset) return null;
    const { text, version } = await this.#read(name);
    return { type: asset.type, text, ...(ctx.query.v === version ? { headers: FOR_EVER } : {}) };
  }

  async #read(name: string): Promise<{ text: string; version: string }> {
    const kept = this.#assets.get(name);
    if (kept) return kept;
    const text = await ASSETS[name]!.text();
    const asset = { text, version: tagOf(text).slice(1, 13) };
    this.#assets.set(name, asset);
    return asset;
  }
}

function entryOf(entries: readonly PageEntry[], path: string): PageEntry | undefined {
  return entries.find((entry) => entry.path === path);
}

/** For agents (https://llmstxt.org). */
function listing(groups: readonly PageGroup[], prefix: string): string {
  const parts = groups.map(({ name, pages }) => {
    const lines = pages.map((page) => `- [${page.title}](${markdownOf(page, prefix)}): ${page.description}`);
    return `## ${name}\n\n${lines.join('\n')}\n`;
  });
  return `# Docent\n\n> ${groups[0]?.pages[0]?.description}\n\n${parts.join('\n')}`;
}
