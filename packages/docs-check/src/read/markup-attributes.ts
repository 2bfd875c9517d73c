import { textSlug } from '../syntax/mintlify-slug.ts';
import { slugger } from './heading-slug.ts';

/** Attributes of HTML and of documentation components whose value is a link or the path of a file. */
const LINK_ATTRIBUTES = new Set(['href', 'src', 'img', 'poster']);
/** Attributes that hold a path only now and then: the name of an icon, or the file that it is in. */
const MAYBE_PATH_ATTRIBUTES = new Set(['icon', 'logo', 'image', 'file', 'light', 'dark']);

/** Attributes whose value is a sentence for readers. */
export const PROSE_ATTRIBUTES: ReadonlySet<string> = new Set([
  'title',
  'description',
  'alt',
  'label',
  'caption',
  'tip',
  'cta',
  'headline',
  'heading',
  'subtitle',
  'summary',
  'placeholder',
  'content',
  'tooltip',
  'aria-label',
]);

export function isLinkAttribute(name: string, value: string): boolean {
  // `<Teleport to="body">` names something else.
  if (name === 'to') return /^[./#@]/.test(value);
  if (LINK_ATTRIBUTES.has(name)) return value !== '';
  return MAYBE_PATH_ATTRIBUTES.has(name) && /^\.{0,2}\/[^\s]+\.\w{2,5}$/.test(value);
}

/**
 * Ids that a site's own components may derive from attributes, like those of other sites: from titles, and
 * for parameters and response fields from their name. Only their code shows what they really do.
 */
export function componentAnchors(values: ReadonlyMap<string, string>): string[] {
  const anchors: string[] = [];
  for (const name of ['title', 'label']) {
    const value = values.get(name);
    if (value && value.length <= 500) anchors.push(slugger()(value), textSlug(value));
  }
  for (const name of ['name', 'path', 'query', 'body', 'header', 'cookie']) {
    const value = values.get(name);
    if (!value || value.length > 200) continue;
    const dashed = value.toLowerCase().replace(/[^\p{L}\p{N}_]+/gu, '-');
    anchors.push(`param-${dashed}`, `response-${dashed}`, dashed);
  }
  return anchors;
}
