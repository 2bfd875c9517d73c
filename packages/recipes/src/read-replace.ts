import type { Instruction, ReplaceScope } from './instruction.ts';
import {
  ALL_PAGES,
  firstMatch,
  forms,
  looksLikePath,
  page,
  pagesIn,
  pages,
  pageOf,
  pattern,
  Q,
  WORDS,
  type Context,
} from './patterns.ts';
import { isQuoted, valueOf, type Quote } from './quotes.ts';

const KIND_OF_TEXT = '(?:the )?(?:(?:word|words|phrase|term|text|string|name|spelling|product name|url|address) )?';
const OF = '(?:oc+ur+[ea]nces?|instances?|mentions?|uses?) of';
const OCCURRENCES = `(?:(?:all|every|each|any|the|of) )*(?:${OF} )?${KIND_OF_TEXT}`;
/** The same before an unquoted text, if an article alone would mean an object. */
const LOOSE_OCCURRENCES = `(?:(?:(?:all|every|each|any|the) )*(?:${OF} )(?:the )?|(?:all|every) )?(?:(?:the )?(?:word|words|phrase|term|text|spelling|product name) )?`;
/**
 * An object instead of its name: it begins with an article, or is a part of a page: "replace the image with
 * text", "change title to X".
 */
const THING = `(?!(?:the|a|an|all|any|every|each|our|my|your|some|new|another|better|old|outdated|titles?|descriptions?|headings?|headers?|pages?|sections?|groups?|links?|images?|navigation|nav|sidebar|menu|order|tone|style|language|everything|back)(?:\\s|$))`;
const LOOSE = `${THING}${WORDS}`;
const OLD = `(?:${Q}|${LOOSE})`;
const NEW = `(?:(?:the )?(?:word|words|phrase|term|text|string|name) )?(?<rest>.+)`;
const QUOTED_WHERE = `${OCCURRENCES}(?<from>${Q})(?<where> (?:everywhere|(?:in|on|across|throughout) .+?))?`;

const TYPO = `(?:typos?|spelling|misspelling|spelling mistake|spelling error|wrong spelling|mistake)`;
const IN_PAGE = `(?:(?:in|on) ${page('page')})`;
const FORMS = forms(
  /^(?:replace|exchange|swap|change|rename|correct|turn|convert|update|fix|edit) |should be|->|typo|spelling|mistake/i,
  `(?:replace|exchange) ${QUOTED_WHERE} (?:with|by|to|->) ${NEW}`,
  `(?:replace|exchange) ${LOOSE_OCCURRENCES}(?<from>${LOOSE}) (?:with|by|->) ${NEW}`,
  `(?:swap|exchange) ${QUOTED_WHERE} (?:for|with|by|->) ${NEW}`,
  `(?:change|rename|correct|turn|convert|update|fix|edit) ${QUOTED_WHERE} (?:to|into|with|by|->) ${NEW}`,
  `(?:change|rename|correct|turn|convert) ${LOOSE_OCCURRENCES}(?<from>${LOOSE}) (?:to|into|->) ${NEW}`,
  `(?:(?:fix|correct) )?(?:the |a |this )?${TYPO}(?: of)?(?: ${IN_PAGE})?[:,]? (?<from>${OLD}) (?:->|to|into|by|with|should be) ${NEW}`,
  `there(?:'s| is) (?:a |one )?${TYPO} ${IN_PAGE}[:,]? (?<from>${Q}) should (?:be|read|say) ${NEW}`,
  `${OCCURRENCES}(?<from>${Q}) should be (?<rest>${Q}.*)`,
  `(?<from>${Q}) -> (?<rest>${Q}.*)`,
);
/** The new text comes first. */
const TURNED_FORMS = forms(
  /^(?:substitute|use|write|say|put) /i,
  `(?:substitute|use|write|say|put) ${OCCURRENCES}(?<to>${Q}) (?:for|instead of) ${OCCURRENCES}(?<from>${Q})(?<tail>.*)`,
);

/** "Replace X with Y", "change X to Y", "fix typo: X -> Y", and where. */
export function readReplace(sentence: string, context: Context): Instruction[] | null {
  const { quotes } = context;
  const turned = firstMatch(TURNED_FORMS, sentence);
  if (turned) return replaceOf(turned.from!, turned.to!, [turned.tail!], context);
  const found = firstMatch(FORMS, sentence);
  if (!found) return null;
  const { from = '', rest = '', where = '' } = found;
  if (!isQuoted(from) && !isLiteral(sentence, from, rest)) return null;
  const target = withSameUnit(from, targetIn(rest, from, context));
  if (!target) return null;
  const inPage = found.page === undefined ? context.page : pageOf(found.page, quotes);
  return replaceOf(from, target.to, [where, target.tail], { ...context, page: inPage });
}

/** Without quotes, a path or a lower-case word may be a page; a second "to" makes the target ambiguous. */
function isLiteral(sentence: string, from: string, rest: string): boolean {
  if (/ (?:to|into|with|by|->) /.test(` ${rest} `)) return false;
  if (/^https?:\/\//i.test(from)) return true;
  const isRename = /^(?:rename|change|turn|convert)\b/i.test(sentence);
  const inPages = /\b(?:everywhere|throughout|all pages|in|on)\b/i.test(rest);
  return !(isRename && looksLikePath(from) && (!inPages || /[/]|\.\w/.test(from)));
}

const NUMBER = /^v?\d\S*$/i;

/**
 * "Change port 8080 to 9090" changes the number and keeps the word. With more words behind the new number, it
 * is open which of them are there already.
 */
function withSameUnit(from: string, target: Target | null): Target | null {
  const words = from.split(' ');
  const [first = ''] = target?.to.split(' ') ?? [];
  const isPart = !isQuoted(from) && words.length > 1 && NUMBER.test(words.at(-1)!) && NUMBER.test(first);
  if (!target || !isPart) return target;
  return target.to === first ? { ...target, to: [...words.slice(0, -1), first].join(' ') } : null;
}

function replaceOf(from: string, to: string, scopes: string[], context: Context): Instruction[] | null {
  const { quotes } = context;
  const scope = scopes.reduce<ReplaceScope | null>(
    (before, tail) => before && merged(before, readScope(tail, context)),
    nowhere(context.page),
  );
  const [old, next] = [valueOf(from, quotes), valueOf(to, quotes)];
  if (!scope || old === '') return null;
  return [{ kind: 'replace', from: old, to: next, ...scope, loose: !isQuoted(from) }];
}

function nowhere(page: string | null): ReplaceScope {
  return { within: page === null ? [] : [page], except: [], inCode: false, inWords: false, first: false };
}

/** A replacement with another sentence about where: "Only in guides", "Not in code". */
export function merged(one: ReplaceScope, other: ReplaceScope | null): ReplaceScope | null {
  return (
    other && {
      within: [...one.within, ...other.within],
      except: [...one.except, ...other.except],
      inCode: one.inCode || other.inCode,
      inWords: one.inWords || other.inWords,
      first: one.first || other.first,
    }
  );
}

const VAGUE =
  /\b(?:ones?|something|better|nicer|simpler|shorter|longer|friendlier|clearer|case|else|other|others|different|itself)$/i;

interface Target {
  to: string;
  tail: string;
}

/** The new text, and what follows it. Without quotes, the shortest text whose rest is a valid scope. */
function targetIn(rest: string, from: string, context: Context): Target | null {
  const quoted = new RegExp(`^(${Q})(.*)$`, 'u').exec(rest);
  if (quoted) return { to: quoted[1]!, tail: quoted[2]! };
  const removed = /^(?:nothing(?: at all)?|(?:an? |the )?(?:empty (?:string|text)|blank))(?: (.*))?$/i.exec(rest);
  if (removed) return { to: '', tail: removed[1] ?? '' };
  const words = rest.split(' ');
  for (let length = 1; length <= Math.min(8, words.length); length++) {
    const to = words.slice(0, length).join(' ').replace(/,$/, '');
    const tail = words.slice(length).join(' ');
    const isArticle = length === 1 && /^(?:the|a|an)$/i.test(to);
    if (!isArticle && (!LOOSE_NEW.test(to) || VAGUE.test(to))) continue;
    if (tail !== '' && !readScope(tail, context)) continue;
    // "Replace sign in with log in quickstart": "in" may belong to the new text or begin where.
    const [joint = ''] = tail.split(' ');
    const isOpen = /^(?:in|on)$/i.test(joint) && from.split(' ').includes(joint) && !to.split(' ').includes(joint);
    return isOpen ? null : { to, tail };
  }
  return null;
}
const LOOSE_NEW = pattern(LOOSE);

const CODE = '(?:the )?(?:code blocks?|code fences?|code samples?|code examples?|inline code|code)';
const LAST = '(?:(?:too|also|as well))';
const SCOPES: [
  name: 'everywhere' | 'inCode' | 'notInCode' | 'inWords' | 'first' | 'except' | 'within',
  source: string,
][] = [
  // "In code" alone may mean nowhere else.
  [
    'inCode',
    `(?:(?:(?:and |also |even )+(?:in|inside)|including|include) ${CODE}(?: ${LAST})?|(?:in|inside) ${CODE} ${LAST})`,
  ],
  [
    'notInCode',
    `(?:but |and )?(?:not (?:in|inside)|except (?:in|inside)|(?:do not|don't) (?:touch|change|edit)|without (?:touching|changing|editing)|outside) ${CODE}`,
  ],
  ['inWords', `(?:(?:and |also )*(?:in|inside|within) (?:longer |other )?words)(?: ${LAST})?`],
  [
    'first',
    '(?:but )?(?:only|just) (?:for )?(?:the )?(?:first|1st) (?:oc+ur+[ea]nce|instance|mention|one|time)|(?:only )?once',
  ],
  [
    'except',
    `(?:but |and )?(?:not|except(?: for)?|excluding|apart from|other than) (?:(?:in|on|for|from) )?${pages('pages')}`,
  ],
  [
    'except',
    `(?:but |and )?(?:(?:do not|don't|never) (?:touch|change|edit)|without (?:touching|changing|editing)) ${pages('pages')}`,
  ],
  ['except', `(?:but |and )?leave ${pages('pages')} (?:alone|untouched|unchanged|as (?:it is|they are|is))`],
  ['everywhere', ALL_PAGES],
  ['within', `(?:but |and |also )?(?:only )?(?:in|on|within|inside|under|throughout|across) ${pages('pages')}`],
];
const SCOPE_FORMS = SCOPES.map(([name, source]) => [name, pattern(`(?:${source})`)] as const);
/** Words of a scope: more are not read. */
const MOST_WORDS = 40;

/**
 * Parses what follows a replacement: where, and whether in code and inside words. Null if some of it is not
 * understood.
 */
export function readScope(tail: string, { quotes }: Pick<Context, 'quotes'>): ReplaceScope | null {
  const words = tail
    .trim()
    .replace(/^,\s*/, '')
    .split(' ')
    .filter((word) => word !== '');
  return words.length > MOST_WORDS ? null : scopeFrom(words, quotes, new Set());
}

/** The longest clause first whose rest is valid. @param dead positions where nothing valid begins */
function scopeFrom(words: readonly string[], quotes: readonly Quote[], dead: Set<number>): ReplaceScope | null {
  if (words.length === 0) return nowhere(null);
  if (dead.has(words.length)) return null;
  for (let end = words.length; end > 0; end--) {
    const clause = clauseOf(words.slice(0, end).join(' ').replace(/,$/, ''), quotes);
    const scope = clause && merged(clause, scopeFrom(words.slice(end), quotes, dead));
    if (scope) return scope;
  }
  dead.add(words.length);
  return null;
}

function clauseOf(clause: string, quotes: readonly Quote[]): ReplaceScope | null {
  for (const [name, expression] of SCOPE_FORMS) {
    const match = expression.exec(clause);
    if (!match) continue;
    const scope = nowhere(null);
    if (name === 'inCode' || name === 'inWords' || name === 'first') scope[name] = true;
    if (name === 'within' || name === 'except') {
      scope[name] = pagesIn(match.groups!['pages']!, quotes);
      // These are not pages, and have their own clause.
      if (scope[name].some((page) => /^(?:code|(?:longer |other )?words)$/i.test(page))) continue;
    }
    return scope;
  }
  return null;
}
