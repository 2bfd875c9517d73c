import { slugger } from '../../../docs-site/read/heading-slug.ts';
import type { Instruction } from './instruction.ts';
import { pageOf, valueOf, type Quote } from './quotes.ts';
import { readArrangement } from './sentence-navigation.ts';
import { readPagePart } from './sentence-page-parts.ts';
import {
  isGiven,
  looksLikePath,
  NAVIGATION_NAMES,
  P,
  PAGE,
  pattern,
  Q,
  QUOTED,
  REF,
  T,
  TAIL,
  THE,
  WORDS,
} from './sentence-patterns.ts';

/** Reads one sentence; null if it is not understood. All patterns are anchored: a sentence is understood whole or not at all. */
export function readSentence(sentence: string, quotes: readonly Quote[]): Instruction[] | null {
  const readers = [
    readAddAttachment,
    readPagePart,
    readArrangement,
    readReplace,
    readFixLinks,
    readAddPage,
    readAppend,
    readRetitle,
    readMove,
    readDelete,
    readGoOn,
  ];
  for (const reader of readers) {
    const found = reader(sentence, quotes);
    if (found) return found;
  }
  return readWithPlaceAhead(sentence, quotes);
}

const PLACE_AHEAD = pattern(
  `(?:in|on|within|inside|under|for|at) ${THE}((?:page|file|folder|article) ${P}|${P}|[^,:]{1,100}? page|(?:${NAVIGATION_NAMES}))(?: (?:folder|directory|page|file))?[,:]? (?:(?:please|kindly|(?:can|could|would) you(?: please)?),? )?(.+)`,
);

/** "In guides/install, replace …": where it is to happen, said first. Read as if it stood where it mostly stands. */
function readWithPlaceAhead(sentence: string, quotes: readonly Quote[]): Instruction[] | null {
  const [, place, rest] = PLACE_AHEAD.exec(sentence) ?? [];
  if (place === undefined || rest === undefined || PLACE_AHEAD.test(rest)) return null;
  const named = rest.replace(
    /^((?:\w+ ){1,3})?(?:the |its )?((?:meta )?(?:title|description))\b(?! of\b)/i,
    `$1the $2 of ${place}`,
  );
  return (named === rest ? null : readSentence(named, quotes)) ?? readSentence(`${rest} in ${place}`, quotes);
}

const OCCURRENCES =
  '(?:(?:all|every|each|any|the) )*(?:(?:occurrences?|instances?|mentions?|uses) of )?(?:the )?(?:(?:word|words|phrase|term|text|string|name) )?';
const REPLACE = pattern(
  `(?:replace|substitute|swap|exchange) ${OCCURRENCES}(${Q}|\\S+) (?:with|by|for|to) (?:the )?(?:(?:word|words|phrase|term|text|string|name) )?(${Q}|[^\\s,]+)${TAIL}`,
);
const CHANGE = pattern(`(?:change|rename|correct) ${OCCURRENCES}(${Q}) (?:to|into) (${Q})${TAIL}`);

const THING = '(?!(?:the|a|an|all|any|every|each|our|my|this|that|some|its|new|another|something|better)\\b)';
/** Words without quotes and without an article, which would make a thing of them: "replace sign in with log in everywhere". */
const LOOSE = pattern(`(?:replace|substitute|swap) ${THING}(${WORDS}) (?:with|by) ${THING}(\\S.{0,300})`);

function readReplace(sentence: string, quotes: readonly Quote[]): Instruction[] | null {
  return readExactReplace(sentence, quotes) ?? readLooseReplace(sentence, quotes);
}

function readLooseReplace(sentence: string, quotes: readonly Quote[]): Instruction[] | null {
  const [, from, rest] = LOOSE.exec(sentence) ?? [];
  if (from === undefined || rest === undefined || QUOTED.test(rest)) return null;
  const words = rest.split(' ');
  // Where it is to happen may begin with a word of the text: the fewest words behind which all is understood.
  for (let length = 1; length <= Math.min(6, words.length); length++) {
    const scope = readScope(words.slice(length).join(' '), quotes);
    if (scope) return [{ kind: 'replace', from, to: words.slice(0, length).join(' '), ...scope, loose: true }];
  }
  return null;
}

function readExactReplace(sentence: string, quotes: readonly Quote[]): Instruction[] | null {
  const named = REPLACE.exec(sentence);
  const changed = named ? null : CHANGE.exec(sentence);
  const match = named ?? changed;
  if (!match) return null;
  const swapped = /^substitute\b.* for /i.test(sentence);
  const [first, second] = [valueOf(match[1]!, quotes), valueOf(match[2]!, quotes)];
  const [from, to] = swapped ? [second, first] : [first, second];
  const scope = readScope(match[3]!, quotes);
  // A plain word without quotes ("replace the image with text") means a thing, not its name.
  if (!scope || from === '' || (!QUOTED.test(match[1]!) && /^[a-z]+$/.test(from))) return null;
  // "Rename `a` to `b`" means a page, "change “Sign in” to “Log in”" a text.
  if (changed && /^rename/i.test(sentence) && looksLikePath(from)) return null;
  return [{ kind: 'replace', from, to, ...scope }];
}

const EVERYWHERE =
  '(?:(?:in|on|across|throughout) (?:(?:all|every|each|the|our|my|of) )*(?:pages?|docs?|files?|documentation|site|articles?)(?! (?!(?:and|also|even|in|inside|including|include|but|only|too)\\b)\\S)|everywhere|throughout|across the board)';
const CODE =
  '(?:(?:also )?(?:in|inside|including|include) (?:the )?(?:code|code blocks?|code fences?|code samples?|inline code)(?: (?:too|also|as well))?|(?:and|even|also) in (?:the )?code(?: blocks?)?(?: too| as well)?)';
const IN_WORDS = '(?:(?:also )?(?:in|inside) (?:longer |other )?words(?: (?:too|also|as well))?)';
const WITHIN = `(?:(?:but )?(?:only )?(?:in|on|within|inside|under) (?:the )?(?:(?:pages?|files?|folders?|directory|docs?) )?(${P}(?:(?:,| and|, and) ${P})*|(?:[\\p{L}\\d'&/-]+ ){1,6}[\\p{L}\\d'&/-]+(?= page(?:\\b|$)))(?: (?:folder|directory|page|file))?)`;
const SCOPE = new RegExp(`^\\s*,?\\s*(?:and )?(?:(${EVERYWHERE})|(${CODE})|(${IN_WORDS})|${WITHIN})(?=$|[\\s,])`, 'iu');

/** What follows a replacement: where, and whether in code and inside words. Null if some of it is not understood. */
function readScope(
  tail: string,
  quotes: readonly Quote[],
): { within: string[]; inCode: boolean; inWords: boolean } | null {
  const scope = { within: [] as string[], inCode: false, inWords: false };
  let rest = tail.trim();
  while (rest !== '') {
    const match = SCOPE.exec(rest);
    if (!match) return null;
    if (match[2]) scope.inCode = true;
    else if (match[3]) scope.inWords = true;
    else if (match[4]) scope.within.push(...readList(match[4], quotes));
    rest = rest.slice(match[0].length).replace(/^[\s,]+/, '');
  }
  return scope;
}

function readList(list: string, quotes: readonly Quote[]): string[] {
  const tokens = list.split(/\s*,\s*(?:and\s+)?|\s+and\s+/i);
  return tokens.filter((token) => token !== '').map((token) => valueOf(token, quotes));
}

const FIX = pattern(
  `(?:fix|repair|mend|correct) (?:(?:all|any|every|the|our|of) )*(?:(?:broken|dead|missing|invalid|wrong|internal) )*(?:links?|anchors?|images?)(?: and (?:(?:broken|dead|missing|the) )*(?:links?|anchors?|images?))?(?: (?:${EVERYWHERE}|(?:in|on|under|within) (?:the )?(?:(?:page|file|folder|directory) )?(${P})(?: (?:folder|directory|page|file))?))?`,
);

function readFixLinks(sentence: string, quotes: readonly Quote[]): Instruction[] | null {
  const match = FIX.exec(sentence);
  return match && [{ kind: 'fix-links', within: match[1] ? valueOf(match[1], quotes) : null }];
}

/** Such as `add the image logo.png at images/logo.png`: the noun says that a file is meant that came along. */
const ADD_ATTACHMENT = pattern(
  `(?:add|place|put|copy|save|insert) ${THE}(?:attached )?(?:image|picture|screenshot|attachment|attached file|file attachment) (${P}) (?:at|as|to|in|into|under) ${THE}(?:(?:path|folder|directory) )?(${P})`,
);

function readAddAttachment(sentence: string, quotes: readonly Quote[]): Instruction[] | null {
  const match = ADD_ATTACHMENT.exec(sentence);
  return match && [{ kind: 'add-attachment', name: valueOf(match[1]!, quotes), path: valueOf(match[2]!, quotes) }];
}

const ADD_PAGE = pattern(`(?:add|create|write|make|start) ${THE}(?:new )?(?:page|article|document)${TAIL}`);
type Said = 'title' | 'path' | 'folder' | 'group' | 'text';
/** What may be said of a new page, in any order. */
const PAGE_CLAUSES: [name: Said, clause: RegExp][] = [
  ['title', new RegExp(`^(?:titled|entitled|called|named|with (?:the )?title|whose title is|about) (${Q})`, 'iu')],
  ['title', /^(?:titled|entitled|called|named) (\p{Lu}[^,;\uE000]*?)(?= (?:at|in|into|under|with|to|containing)\b|$)/u],
  [
    'group',
    new RegExp(
      `^(?:(?:and )?(?:enter|put|place|list) it )?(?:in|into|to|under) (?:the )?(?:navigation )?(?:group|section) (${Q})`,
      'iu',
    ),
  ],
  ['group', new RegExp(`^(?:in|into|to|under) (?:the )?(${Q}) (?:navigation )?(?:group|section)`, 'iu')],
  [
    'text',
    new RegExp(
      `^(?:(?:with|containing|saying|that says|that reads|and) )(?:(?:the|this|following) )*(?:(?:text|content|contents|body|words)(?: is)? )?(${Q})`,
      'iu',
    ),
  ],
  ['folder', new RegExp(`^(?:in|into|under|to) (?:the )?(?:folder|directory) (${P})`, 'iu')],
  ['folder', new RegExp(`^(?:in|into|under|to) (?:the )?(${P}) (?:folder|directory)(?=$|[\\s,])`, 'iu')],
  [
    'folder',
    new RegExp(`^(?:in|into|under) (?:the )?(?!(?:path|file|url|address)\\b)([^\\s,;.\\uE000]+)(?=$|[\\s,])`, 'iu'),
  ],
  ['path', new RegExp(`^(?:at|as|in|under|with) (?:the )?(?:(?:path|file|url|address) )?(${P})`, 'iu')],
  ['title', new RegExp(`^(${Q})`, 'iu')],
];

function readAddPage(sentence: string, quotes: readonly Quote[]): Instruction[] | null {
  const match = ADD_PAGE.exec(sentence);
  if (!match) return null;
  const said: Record<Said, string | null> = { title: null, path: null, folder: null, group: null, text: null };
  let rest = match[1]!.trim();
  while (rest !== '') {
    const clause = PAGE_CLAUSES.map(([name, expression]) => ({ name, found: expression.exec(rest) })).find(
      ({ name, found }) => found && said[name] === null,
    );
    if (!clause?.found) return null;
    said[clause.name] = valueOf(clause.found[1]!, quotes);
    rest = rest.slice(clause.found[0].length).replace(/^[\s,]+(?:and (?=with|in|at|under))?/i, '');
  }
  const { folder, ...page } = said;
  if (folder !== null && page.path === null && page.title !== null) {
    page.path = `${folder.replace(/\/+$/, '')}/${slugger()(page.title)}`;
  }
  return page.title === null && page.path === null ? null : [{ kind: 'add-page', ...page }];
}

const TEXT_IS = `(?:,? (?:with|containing|saying|that says)(?: (?:the|this|following))*(?: (?:text|content|body))? (${Q}))?`;
const TO_PAGE = `(?:to|at|on|in|for) (?:the (?:end|bottom) of )?${REF}`;
const SECTION = `(?:append|add|insert|write) ${THE}(?:new )?section(?: (?:titled|called|named|headed|on|about|with (?:the )?(?:title|heading)))? (${Q})`;
const APPEND_SECTION = pattern(`${SECTION}${TEXT_IS} ${TO_PAGE}${TEXT_IS}`);
const APPEND_TEXT = pattern(
  `(?:append|add) (?:(?:the|this) )*(?:(?:text|sentence|paragraph|line) )?(${Q}) (?:to|at) (?:the (?:end|bottom) of )?${PAGE}(${P})(?: page)?`,
);

function readAppend(sentence: string, quotes: readonly Quote[]): Instruction[] | null {
  const section = APPEND_SECTION.exec(sentence);
  if (section) {
    const [, heading, before, page, after] = section;
    const text = before ?? after;
    return [
      {
        kind: 'append-section',
        heading: valueOf(heading!, quotes),
        page: valueOf(page!, quotes),
        text: text === undefined ? null : valueOf(text, quotes),
      },
    ];
  }
  const appended = APPEND_TEXT.exec(sentence);
  return (
    appended && [{ kind: 'append-text', text: valueOf(appended[1]!, quotes), page: valueOf(appended[2]!, quotes) }]
  );
}

const FROM = `(?: from ${Q})?`;
const RETITLE: [expression: RegExp, page: number, title: number][] = [
  [
    pattern(
      `(?:change|set|update|rename|edit) the (?:page )?title (?:of|for|on|in) ${REF}${FROM} (?:to|as|into) (${T})`,
    ),
    1,
    2,
  ],
  [
    pattern(`(?:change|set|update|rename|edit) the (?:page )?title (?:to|as|into) (${Q}) (?:of|for|on|in) ${REF}`),
    2,
    1,
  ],
  [pattern(`(?:re-?title|title) ${REF} (?:(?:to|as) )?(${Q})`), 1, 2],
  [pattern(`(?:re-?title|title) ${REF} (?:to|as) (${T})`), 1, 2],
  [pattern(`(?:change|set|update) ${REF}(?:'s|’s)? title${FROM} (?:to|as) (${T})`), 1, 2],
  [pattern(`give ${REF} the (?:new )?title (${T})`), 1, 2],
  [pattern(`(?:rename|call) ${THE}((?:[\\p{L}\\d'&/-]+ ){0,6}[\\p{L}\\d'&/-]+) page (?:to |into |as )?(${Q})`), 1, 2],
];

function readRetitle(sentence: string, quotes: readonly Quote[]): Instruction[] | null {
  for (const [expression, page, title] of RETITLE) {
    const match = expression.exec(sentence);
    if (match && isGiven(match[title]!))
      return [{ kind: 'retitle', page: pageOf(match[page]!, quotes), title: valueOf(match[title]!, quotes) }];
  }
  return null;
}

const MOVE = pattern(
  `(rename|move|relocate) ${THE}((?:page|file|article|image|asset|folder|directory|document) )?(?:from )?(${P})( page| file| folder| directory)? (to|into|as|under|below|inside) (?:be )?(?:the )?((?:page|file|folder|directory|path) )?(${P})( folder| directory)?`,
);

function readMove(sentence: string, quotes: readonly Quote[]): Instruction[] | null {
  const match = MOVE.exec(sentence);
  if (!match) return null;
  const [, verb, before, source, behind, preposition, targetNoun, target, targetBehind] = match;
  const noun = before ?? behind;
  const [from, to] = [valueOf(source!, quotes), valueOf(target!, quotes)];
  // A page is renamed to a path; a name with blanks or capitals and no path in it is a title.
  if (/^rename$/i.test(verb!) && /\s|^[A-Z][^/.]*$/.test(to)) {
    return noun || looksLikePath(from) ? [{ kind: 'retitle', page: from, title: to }] : null;
  }
  const what = nounKind(noun) ?? (from.endsWith('/') ? 'folder' : null);
  const intoFolder = what !== 'folder' && nounKind(targetNoun ?? targetBehind) === 'folder';
  return [{ kind: 'move', from, to, what, into: intoFolder || /^(?:into|under|below|inside)$/i.test(preposition!) }];
}

function nounKind(noun: string | undefined): 'page' | 'folder' | null {
  if (noun === undefined || /path/i.test(noun)) return null;
  return /folder|director/i.test(noun) ? 'folder' : 'page';
}

const DELETE = pattern(
  `(?:delete|remove|drop) ${THE}((?:pages?|files?|articles?|images?|documents?|folders?|directory|directories) )?(${P}(?:(?:,| and|, and) (?!redirect)${P})*)( page| folder| directory)?(?:,? (?:and )?(?:redirect|send|point)(?: (?:it|its readers|readers|the old address|them))? to ${PAGE}(${P}))?`,
);

function readDelete(sentence: string, quotes: readonly Quote[]): Instruction[] | null {
  const match = DELETE.exec(sentence);
  if (!match) return null;
  const [, before, list, behind, successor] = match;
  const pages = readList(list!, quotes);
  const what = nounKind(before ?? behind);
  if (before === undefined && !pages.every(looksLikePath)) return null;
  const redirectTo = successor ? valueOf(successor, quotes) : null;
  return pages.map((page) => ({ kind: 'delete', page, what, redirectTo }));
}

const GO_ON = pattern(`(?:go on|continue|carry on|try (?:it )?again|retry|proceed|resume)(?: .{0,60})?`);

function readGoOn(sentence: string): Instruction[] | null {
  return GO_ON.test(sentence) ? [{ kind: 'go-on' }] : null;
}

const COVERED = pattern(
  `(?:update|adjust|correct|change|keep|make sure|ensure|add|enter|put|leave|let)\\b.*\\b(?:links?|references?|redirects?|navigation|nav|sidebar|menu|docs\\.json|mint\\.json)\\b.*`,
);

/** Whether a sentence only asks for what the instruction before it does anyway: "and update the links". */
export function isCovered(sentence: string, previous: Instruction | undefined): boolean {
  if (!previous || !['move', 'add-page', 'delete'].includes(previous.kind)) return false;
  return COVERED.test(sentence) && !/\b(?:not|n't|no|never|without|except)\b/i.test(sentence) && !QUOTED.test(sentence);
}
