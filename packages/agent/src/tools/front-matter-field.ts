import { isMap, isScalar, parseDocument, stringify, type Scalar } from 'yaml';
import { lineBreakOf } from '@docent/docs-check/read/text-lines';

const BLOCK = /^(\uFEFF?---[ \t]*\r?\n)([\s\S]*?)(?:^|\r?\n)---[ \t]*(?:\r?\n|$)/m;

/** Sets a front matter field in place, after the title, or in new front matter. Null if unparsable. */
export function withField(page: string, name: string, value: string): string | null {
  const lineBreak = lineBreakOf(page);
  const [whole, opening = '', yaml = ''] =
    page.startsWith('---') || page.startsWith('\uFEFF---') ? (BLOCK.exec(page) ?? []) : [];
  if (whole === undefined) {
    if (/^\uFEFF?(?:(?:---|\+\+\+)[ \t]*\r?\n|\{\s*")/.test(page)) return null;
    return `---${lineBreak}${name}: ${written(value)}${lineBreak}---${lineBreak}${lineBreak}${page}`;
  }
  const document = parseDocument(yaml, { keepSourceTokens: false, stringKeys: true });
  if (document.errors.length > 0 || !(document.contents === null || isMap(document.contents))) return null;
  const pairs = document.contents?.items ?? [];
  const find = (key: string) => pairs.find((pair) => isScalar(pair.key) && pair.key.value === key)?.value;
  const own = find(name);
  const start = opening.length;
  if (own !== undefined && own !== null) {
    if (!isScalar(own) || !own.range) return null;
    const [from, to] = own.range;
    const old = yaml.slice(from, to);
    const ending = /\r?\n$/.exec(old)?.[0] ?? '';
    const blank = from > 0 && !/\s/.test(yaml[from - 1]!) ? ' ' : '';
    return page.slice(0, start + from) + blank + likeOld(own, value) + ending + page.slice(start + to);
  }
  const title = find('title');
  const behind = isScalar(title) && title.range ? lineEndOf(yaml, title.range[1]) : null;
  const line = `${name}: ${written(value)}`;
  if (behind === null) return page.slice(0, start) + line + lineBreak + page.slice(start);
  return page.slice(0, start + behind) + lineBreak + line + page.slice(start + behind);
}

function lineEndOf(yaml: string, at: number): number {
  const end = /\r?\n|$/.exec(yaml.slice(at));
  return at + (end?.index ?? 0);
}

function likeOld({ type }: Scalar, value: string): string {
  if (type === 'QUOTE_DOUBLE') return JSON.stringify(value);
  if (type === 'QUOTE_SINGLE') return `'${value.replaceAll("'", "''")}'`;
  return written(value);
}

/** Without quotes if YAML reads it as a one-line text anyway. */
function written(value: string): string {
  const plain = stringify(value, { lineWidth: 0 }).trim();
  return plain.includes('\n') || /^[|>]/.test(plain) ? JSON.stringify(value) : plain;
}
