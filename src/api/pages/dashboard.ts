import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Context } from 'koa';
import { tagOf } from '../middleware/entity-tag.ts';
import { page, PAGE_HEADERS } from '@docent/pages/layout';
import { markup } from '@docent/pages/html';

/** The output folder of `npm run build:dashboard`, in a checkout and in the published package. */
const FOLDER = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../../dist/dashboard/' : '../../dashboard/', import.meta.url),
);

/** The dashboard's addresses; packages/dashboard/src/shell/address.ts decides which exist. */
const PAGES = /^\/(?:$|(?:sign-in|shared|projects|keys|hosts|model|people|audit|health|account)(?:\/|$))/;

const TYPES: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** No content of others, no inline code, no framing. */
const SECURITY = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'self'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
};

interface StaticFile {
  bytes: Buffer;
  /** The same in other codings, as the build packed it. */
  packed: Partial<Record<'br' | 'gzip', Buffer>>;
  type: string;
  tag: string;
  /** Whether its name changes with its content. */
  isNamedByContent: boolean;
}

/** The dashboard as it was built, in memory: some hundred kilobytes. */
export class Dashboard {
  readonly #files: ReadonlyMap<string, StaticFile>;
  readonly #shell: string | null;

  private constructor(files: ReadonlyMap<string, StaticFile>, shell: string | null) {
    this.#files = files;
    this.#shell = shell;
  }

  /** Reads it. If it was not built, its addresses explain how to build it. */
  static async load(folder = FOLDER): Promise<Dashboard> {
    const names: string[] = await readdir(folder, { recursive: true }).catch(() => []);
    const files = new Map<string, StaticFile>();
    for (const name of names) {
      const type = TYPES[path.extname(name)];
      if (type)
        files.set(
          `/${name.split(path.sep).join('/')}`,
          await staticFile(path.join(folder, name), type, names.includes(`${name}.br`)),
        );
    }
    const shell = names.includes('index.html') ? await readFile(path.join(folder, 'index.html'), 'utf8') : null;
    return new Dashboard(files, shell);
  }

  /**
   * Answers a `GET`.
   * @param pathOf as in `ApiServices`: gives pages a proxy's prefix
   * @returns whether the address is one of its own
   */
  answer(ctx: Context, pathOf: (path: string) => string): boolean {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return false;
    const file = this.#files.get(ctx.path);
    if (file) answerFile(ctx, file);
    else if (PAGES.test(ctx.path)) this.#answerShell(ctx, pathOf);
    else return false;
    return true;
  }

  #answerShell(ctx: Context, pathOf: (path: string) => string): void {
    ctx.status = this.#shell === null ? 503 : 200;
    ctx.set(this.#shell === null ? PAGE_HEADERS : SECURITY);
    ctx.type = 'text/html; charset=utf-8';
    if (this.#shell === null) {
      ctx.set('Cache-Control', 'no-store');
      ctx.body = notBuilt();
      return;
    }
    const base = pathOf('/').replaceAll(/[&"<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
    const text = this.#shell.replace('<base href="/" />', () => `<base href="${base}" />`);
    ctx.set('Cache-Control', 'no-cache');
    ctx.set('ETag', tagOf(text));
    ctx.body = text;
  }
}

function answerFile(ctx: Context, file: StaticFile): void {
  ctx.status = 200;
  ctx.type = file.type;
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.set('Cache-Control', file.isNamedByContent ? 'public, max-age=31536000, immutable' : 'no-cache');
  ctx.set('ETag', file.tag);
  const coding = ctx.acceptsEncodings('br', 'gzip', 'identity');
  const packed = coding === 'br' || coding === 'gzip' ? file.packed[coding] : undefined;
  if (packed) ctx.set('Content-Encoding', String(coding));
  ctx.body = packed ?? file.bytes;
}

async function staticFile(file: string, type: string, isPacked: boolean): Promise<StaticFile> {
  const bytes = await readFile(file);
  return {
    bytes,
    packed: isPacked ? { br: await readFile(`${file}.br`), gzip: await readFile(`${file}.gz`) } : {},
    type,
    tag: tagOf(bytes),
    isNamedByContent: /-[\w-]{8}\.\w+$/.test(file),
  };
}

function notBuilt(): string {
  return page(
    'Docent',
    markup`<h1>The dashboard is not built</h1>
<p>This server runs from a checkout in which the dashboard was not built yet. Run <code>npm run build:dashboard</code> there, and start the server again.</p>`,
  );
}
