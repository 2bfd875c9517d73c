import { hostsInText } from './addresses.ts';
import type { EffectCollector } from './effects.ts';
import { isHarmless, parseExpression } from './expressions.ts';

/** Template languages of a site's generator in pages: Vue's, Python's and Ruby's, Go's; null for none. */
export type TemplateLanguage = 'vue' | 'jinja' | 'liquid' | 'go' | null;

const NO_LOCALS: ReadonlySet<string> = new Set();
const MAX_CALL = 2_000;

/**
 * Vue's `{{ … }}`, which runs any content.
 * @param text the page without its code
 */
export function vueTextEffects(text: string, into: EffectCollector): void {
  for (const inside of between(text, '{{', '}}')) {
    const parsed = parseExpression(inside.trim());
    if (!parsed || !isHarmless(parsed, NO_LOCALS)) into.code('an expression', inside);
    for (const host of hostsInText(inside)) into.effects.names.add(host);
  }
}

/** Calls of a template language, by name: calls that the page already made are not new. */
export function templateEffects(text: string, language: TemplateLanguage, into: EffectCollector): void {
  if (language === null || language === 'vue') return;
  const calls = [
    ...(language === 'go' ? [...between(text, '{{<', '>}}'), ...between(text, '{{%', '%}}')] : []),
    ...(language !== 'go' ? [...between(text, '{%', '%}'), ...between(text, '{{', '}}')] : []),
  ];
  for (const call of calls) {
    const inside = call.replace(/^-|-$/g, '').trim();
    const name = /^\/?\s*([\w.-]{1,80})/.exec(inside)?.[1] ?? inside;
    if (inside.startsWith('/') || /^(?:end\w*|raw|else|elsif|elif)$/.test(name)) continue;
    const isTaking =
      /^(?:include|include_relative|import|from|extends|render|readfile|code|codefile|rawhtml|highlightfile)/i.test(
        name,
      );
    const isCalling = language === 'jinja' && /[([|]|__|\b(?:environ|env|config)\b/.test(inside);
    into.code('a template call', name, isTaking || isCalling ? inside : name);
    for (const host of hostsInText(inside)) into.effects.names.add(host);
  }
}

function* between(text: string, open: string, close: string): Generator<string> {
  for (let at = text.indexOf(open); at !== -1; at = text.indexOf(open, at)) {
    const end = text.indexOf(close, at + open.length);
    if (end === -1) return;
    yield text.slice(at + open.length, Math.min(end, at + open.length + MAX_CALL));
    at = end + close.length;
  }
}
