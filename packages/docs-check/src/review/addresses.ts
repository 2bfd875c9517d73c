/** What opening an address does in a browser. */
export type Address =
  /**
   * A server is asked. The name is in ASCII, in lower case, without the root's dot; numbers are dotted, IPv6
   * is in brackets.
   */
  | { kind: 'server'; host: string }
  /** It runs, or shows a document that is built from the address itself. */
  | { kind: 'code' }
  /** Another program than the browser is opened. */
  | { kind: 'program'; scheme: string };

/**
 * The page's own server: a reserved name (RFC 6761). A site may be read over either scheme, and `http:host`
 * depends on it.
 */
const SELF = 'page.invalid';
const BASES = [`https://${SELF}/folder/`, `http://${SELF}/folder/`];
const WEB = new Set(['http:', 'https:', 'ws:', 'wss:', 'ftp:']);
/** Open a program that asks first, or nothing at all. */
const QUIET = new Set(['mailto:', 'tel:', 'sms:', 'geo:', 'about:', 'blob:', 'cid:', 'urn:', 'xmpp:']);
/** No one on the internet can have these: RFC 6761 and 2606, and names without a dot. */
const NOBODY = /^(?:(?:.+\.)?(?:localhost|example\.(?:com|net|org))|page\.invalid|[^.:]+)$/;
/** Data that nothing in it can run from. */
const INERT_DATA = /^data:(?:image\/(?!svg)[\w.+-]+|font\/[\w.+-]+|audio\/[\w.+-]+|video\/[\w.+-]+|text\/plain)?[;,]/i;

/**
 * Parses an address as the WHATWG URL standard does: spaces, tabs, backslashes, numbers, full-width letters
 * and percent-encoding as in browsers. Empty for addresses on the page's own server, and for those that no
 * browser opens.
 */
export function readAddress(value: string): Address[] {
  const found = new Map<string, Address>();
  for (const base of BASES) {
    if (!URL.canParse(value, base)) continue;
    const url = new URL(value, base);
    if (WEB.has(url.protocol) || (url.protocol === 'file:' && url.host !== '')) {
      const host = hostOf(url);
      if (host !== '' && !NOBODY.test(host)) found.set(host, { kind: 'server', host });
    } else if (url.protocol === 'javascript:' || url.protocol === 'vbscript:' || url.protocol === 'livescript:') {
      found.set('code', { kind: 'code' });
    } else if (url.protocol === 'data:') {
      if (!INERT_DATA.test(url.href)) found.set('code', { kind: 'code' });
    } else if (url.protocol === 'view-source:' || url.protocol === 'feed:') {
      for (const inner of readAddress(url.href.slice(url.protocol.length))) found.set(JSON.stringify(inner), inner);
    } else if (!QUIET.has(url.protocol))
      found.set(url.protocol, { kind: 'program', scheme: url.protocol.slice(0, -1) });
  }
  return [...found.values()];
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/\.$/, '');
}

/** Addresses in a text: with a scheme, or as in a command. */
const IN_TEXT =
  /(?<![a-z0-9])(?:(?:git\+)?(?:https?|ssh)|wss?|s?ftps?|git|svn|rsync|ldaps?|nats|amqps?|mqtts?|grpcs?|tcp|udp|telnet|redis|postgres(?:ql)?|mysql|mongodb(?:\+srv)?):[\\/]+[^\s<>"'`|]{1,2000}/gi;
const SCP = /(?<![\w@/.:-])git@([\p{L}\p{N}.-]{1,253}):[\w~/]/giu;
const COMMAND = /\b(?:curl|wget|iwr|irm|invoke-(?:webrequest|restmethod))\b([^\n|;&]{1,500})/gi;
const BARE = /^["']?((?:[\p{L}\p{N}-]{1,63}\.){1,10}\p{L}{2,63})(?::\d{1,5})?\/\S{0,500}/iu;
const WWW = /(?<![\p{L}\p{N}@/.-])www\.[\p{L}\p{N}.-]{3,250}/giu;

/** The servers that a text names, in code or in prose. Escapes of JSON and JavaScript are read too. */
export function hostsInText(text: string): Set<string> {
  const hosts = new Set<string>();
  const add = (value: string) => {
    for (const address of readAddress(value)) if (address.kind === 'server') hosts.add(address.host);
  };
  for (const variant of new Set([text, unescaped(text)])) {
    for (const [found] of variant.matchAll(IN_TEXT)) add(asWeb(found));
    if (variant.includes('git@')) for (const [, host] of variant.matchAll(SCP)) add(`https://${host}/`);
    if (/www\./i.test(variant)) for (const [host] of variant.matchAll(WWW)) add(`https://${host}/`);
    for (const [, rest] of variant.matchAll(COMMAND)) {
      for (const word of rest!.split(/\s+/)) {
        const [, host] = BARE.exec(word) ?? [];
        if (host !== undefined) add(`https://${host}/`);
      }
    }
  }
  return hosts;
}

/** As a web address, without the punctuation of the sentence around it. */
function asWeb(found: string): string {
  const [, scheme = '', rest = ''] = /^([^:]+):[\\/]+(.*)$/s.exec(found) ?? [];
  const host = rest.replace(/[\\/?#].*$/s, '').replace(/[.,;:!?)\]}*_]+$/, (end) => (end.startsWith(']') ? ']' : ''));
  return `${scheme.toLowerCase() === 'http' ? 'http' : 'https'}://${host}/`;
}

function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\(?:\/|u\{([0-9a-f]{1,6})\}|u([0-9a-f]{4})|x([0-9a-f]{2}))/gi, (whole, braced, four, two) => {
    const code = Number.parseInt(String(braced ?? four ?? two ?? '2f'), 16);
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
  });
}

const SCRIPTS = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Han', 'Hiragana', 'Katakana', 'Hangul', 'Arabic', 'Hebrew', 'Thai', 'Devanagari'].map((name) => ({ name, pattern: new RegExp(`\\p{Script=${name}}`, 'u') })); // oxfmt-ignore
const MAX_SHOWN = 60;

/**
 * A host as quoted in a note: of limited length, without a character that could end the quotation, always
 * with its end.
 */
export function shownHost(host: string, unicode: string): string {
  const plain = host.replace(/[^a-z0-9.:[\]_-]+/g, '*');
  const short = plain.length <= MAX_SHOWN ? plain : `…${plain.slice(1 - MAX_SHOWN)}`;
  if (!/(?:^|\.)xn--/.test(host)) return `\`${short}\``;
  const scripts = SCRIPTS.filter(({ pattern }) => pattern.test(unicode)).map(({ name }) => name);
  const letters = scripts.filter((name) => name !== 'Latin');
  const hint = letters.length > 0 ? `in ${letters.join(' and ')} letters` : 'with letters beyond ASCII';
  return `\`${short}\` (${hint}, may look like another name)`;
}
