import { scanHtml, type HtmlTag } from '../read/html-scan.ts';
import { PROSE_ATTRIBUTES } from '../read/markup-attributes.ts';
import { cssEffects } from './css-effects.ts';
import type { EffectCollector, Use } from './effects.ts';
import { hostsInText, readAddress } from './addresses.ts';
import { isHarmless, parseExpression } from './expressions.ts';

/**
 * Attributes that a browser follows as soon as it shows the page, by name alone: components have them too.
 */
const LOADED =
  /^(?:src|srcset|imagesrcset|data|poster|background|lowsrc|dynsrc|icon|logo|img|image|light|dark|manifest|ping|codebase|classid|archive|code)$/;
const IMAGES = /^(?:img|image|source|picture|video|audio|track|feimage|body|table|tr|td|th)$/;
const FRAMES = /^(?:iframe|frame|object|embed|applet|portal|fencedframe)$/;
/** Attributes that only hold an address. */
const ADDRESSES = /^(?:href|xlink:href|src|action|formaction|cite|longdesc|poster|background)$/;
/** Elements whose text is not markup in HTML, but is in SVG and MathML, or without scripts. */
const RAW = /^(?:style|title|textarea|xmp|iframe|noembed|noframes|noscript|plaintext|template)$/;
const NO_LOCALS: ReadonlySet<string> = new Set();
const MAX_DEPTH = 8;

export interface Attribute {
  /** In lower case. */
  name: string;
  value: string;
}

/** What a browser does with a piece of HTML. @param vue whether attributes may hold Vue's expressions */
export function htmlEffects(html: string, into: EffectCollector, vue = false, depth = 0): void {
  if (!html.includes('<')) return;
  if (depth > MAX_DEPTH) {
    into.unread('includes pages in pages too deeply to be read');
    return;
  }
  const { tags } = scanHtml(html, 0);
  for (const [i, tag] of tags.entries()) {
    if (tag.kind !== 'open') continue;
    const name = tag.name.toLowerCase();
    const raw = name === 'script' || RAW.test(name) ? html.slice(tag.end, closingOf(tags, i, html)) : '';
    elementEffects(name, tag.attributes, into, { text: raw, vue, depth });
    if (raw !== '' && name !== 'script') htmlEffects(raw, into, vue, depth + 1);
  }
}

function closingOf(tags: readonly HtmlTag[], open: number, html: string): number {
  const { name } = tags[open]!;
  const next = tags[open + 1];
  if (next?.kind === 'close' && next.name.toLowerCase() === name.toLowerCase()) return next.start;
  // Other tags found in it are judged anyway.
  return next ? next.start : html.length;
}

/** What one element does, from HTML, or from JSX with text attributes. */
export function elementEffects(
  name: string,
  attributes: readonly Attribute[],
  into: EffectCollector,
  { text = '', vue = false, depth = 0 }: { text?: string; vue?: boolean; depth?: number } = {},
): void {
  const values = new Map<string, string>();
  for (const { name: key, value } of attributes) if (!values.has(key)) values.set(key, value);
  for (const { name: key, value } of attributes) {
    if (vue && /^(?:[:@#]|v-)/.test(key)) vueEffects(key, value, into);
    else attributeEffects(name, key, value, into, depth);
  }
  const source = `<${name} ${attributes.map((one) => `${one.name}=${one.value}`).join(' ')}>`;
  if (name === 'script' || name === 'svg:script') {
    // Data that no browser runs.
    if (/^application\/(?:ld\+)?json$/i.test((values.get('type') ?? '').trim())) return;
    into.code('a script', `${source}${text}`);
    for (const host of hostsInText(text)) into.effects.names.add(host);
  } else if (FRAMES.test(name)) {
    // Another video of a server whose frames already exist is not new code.
    const places = (['src', 'data', 'code', 'href'] as const).flatMap((key) => readAddress(values.get(key) ?? ''));
    const hosts = places.flatMap((place) => (place.kind === 'server' ? [place.host] : []));
    const identity = values.has('srcdoc') ? source : `${name} ${hosts.join(' ')}`;
    into.code('a frame', hosts[0] ?? source, identity);
  } else if (name === 'style') {
    cssEffects(text, into);
    into.code('a style sheet', `${source}${text}`);
  } else if (name === 'base') into.code('a base address', source);
  else if (name === 'meta' && values.has('http-equiv')) {
    into.code('a meta element that a browser obeys', source);
    const [, target = ''] = /url\s*=\s*["']?\s*([^"']*)/i.exec(values.get('content') ?? '') ?? [];
    into.address(target, 'load');
  } else if (
    name === 'link' &&
    !/^(?:canonical|alternate|author|license|next|prev|me|icon|shortcut icon|apple-touch-icon)$/i.test(
      (values.get('rel') ?? '').trim(),
    )
  )
    into.code('a style sheet', source); // oxfmt-ignore
  else if ((name === 'form' && values.has('action')) || values.has('formaction')) {
    const target = readAddress(values.get('action') ?? '').concat(readAddress(values.get('formaction') ?? ''));
    if (target.length > 0) into.code('a form', source);
  }
}

function attributeEffects(element: string, key: string, value: string, into: EffectCollector, depth: number): void {
  if (/^on[a-z]/.test(key) && value.trim() !== '') into.code('an event handler', `${key}=${value}`);
  if (key === 'style') cssEffects(value, into);
  else if (key === 'srcdoc' || /^(?:innerhtml|v-html|set:html|html)$/.test(key)) {
    htmlEffects(value, into, false, depth + 1);
    if (key === 'srcdoc') into.code('a frame', value);
  } else if (key === 'srcset' || key === 'imagesrcset') {
    for (const candidate of value.split(/,\s+|,(?=[^\s]*:?[\\/]{2})/))
      into.address(candidate.trim().split(/\s+/)[0] ?? '', 'image');
  } else if (key === 'values' || key === 'from' || key === 'to' || key === 'by') {
    for (const one of value.split(';')) into.maybeAddress(one, 'link');
  } else if (key === 'ping') for (const one of value.split(/\s+/)) into.address(one, 'load');
  // In a sentence, "JavaScript: The Good Parts" is not an address.
  else if (PROSE_ATTRIBUTES.has(key) && key !== 'content') into.text(value);
  else if (ADDRESSES.test(key)) into.address(value, useOf(element, key));
  else into.maybeAddress(value, useOf(element, key));
}

export function useOf(element: string, key: string): Use {
  if (key === 'href' || key === 'xlink:href' || key === 'xlinkhref') {
    if (/^(?:link|use|script|base)$/.test(element)) return 'load';
    return /^(?:image|feimage)$/.test(element) ? 'image' : 'link';
  }
  if (!LOADED.test(key)) return 'link';
  return IMAGES.test(element) || (!FRAMES.test(element) && key !== 'src' && key !== 'data') ? 'image' : 'load';
}

function vueEffects(key: string, value: string, into: EffectCollector): void {
  if (/^v-(?:pre|once|cloak|else)$/.test(key) || value.trim() === '') return;
  const parsed = /^(?:@|v-on:|v-for|v-slot|#)/.test(key) ? null : parseExpression(value);
  if (key.startsWith('#') && /^[\w\s{},]*$/.test(value)) return;
  if (key === 'v-html' || !parsed || !isHarmless(parsed, NO_LOCALS)) {
    into.code(/^(?:@|v-on:)/.test(key) ? 'an event handler' : 'an expression', `${key}=${value}`);
  }
  for (const [, text] of value.matchAll(/["'`]([^"'`]{1,5000})/g)) into.maybeAddress(text!, 'load');
}
