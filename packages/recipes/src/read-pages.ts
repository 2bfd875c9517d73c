import type { Instruction } from './instruction.ts';
import {
  ALL_PAGES,
  firstMatch,
  forms,
  looksLikePath,
  NAME,
  page,
  pageOf,
  pages,
  pagesIn,
  PATH,
  Q,
  THE,
  type Context,
} from './patterns.ts';
import { isQuoted, valueOf } from './quotes.ts';

const BROKEN = '(?:broken|dead|missing|invalid|wrong|internal|bad)';
const LINKS = '(?:links?|anchors?|images?|urls?)';
const FIX = forms(
  /link|anchor|image|url/i,
  `(?:fix|repair|correct|resolve) (?:(?:all|any|every|the|our|of|up) )*(?:${BROKEN} )*${LINKS}(?:(?:,| and|, and) (?:(?:${BROKEN}|the) )*${LINKS})*(?: (?:${ALL_PAGES}|(?:in|on|under|within) ${pages('pages')}))?`,
);

export function readFixLinks(sentence: string, { quotes, page: inPage }: Context): Instruction[] | null {
  const found = firstMatch(FIX, sentence);
  if (!found) return null;
  const list = found['pages'];
  const places = list === undefined ? [inPage] : pagesIn(list, quotes);
  return places.map((within) => ({ kind: 'fix-links', within }));
}

/** Such as `add the image logo.png at images/logo.png`: the noun means an attached file. */
const ADD_ATTACHMENT = forms(
  /^(?:add|place|put|copy|save|insert) /i,
  `(?:add|place|put|copy|save|insert) ${THE}(?:attached )?(?:image|picture|screenshot|attachment|attached file|file attachment) (?<name>${PATH}) (?:at|as|to|in|into|under) ${THE}(?:(?:path|folder|directory) )?(?<path>${PATH})`,
);

export function readAddAttachment(sentence: string, { quotes }: Context): Instruction[] | null {
  const { name, path } = firstMatch(ADD_ATTACHMENT, sentence) ?? {};
  if (name === undefined || path === undefined) return null;
  return [{ kind: 'add-attachment', name: valueOf(name, quotes), path: valueOf(path, quotes) }];
}

const ADD = '(?:add|create|write|make|start)';
const NEW_PAGE = '(?:page|article|document)';
const ADD_PAGE = forms(
  /^(?:add|create|write|make|start) /i,
  `${ADD} ${THE}(?:new )?${NEW_PAGE}(?<clauses>(?: .*)?)`,
  `${ADD} ${THE}(?:new )?(?<title>${Q}|${NAME}) ${NEW_PAGE}(?<clauses>(?: .*)?)`,
);
type PageField = 'title' | 'path' | 'folder' | 'group' | 'text' | 'section';
const MORE = '(?=$|[\\s,])';
/** Clauses about a new page, in any order. */
const PAGE_CLAUSES = (
  [
    ['title', `(?:titled|entitled|called|named|with (?:the )?title|whose title is|about) (${Q})`],
    ['title', `(?:titled|entitled|called|named) (${NAME})(?= (?:at|in|into|under|with|to|containing|and)\\b|$)`],
    [
      'group',
      `(?:(?:and )?(?:enter|put|place|list) it )?(?:in|into|to|under) (?:the )?(?:navigation )?(?:group|section) (${NAME})`,
    ],
    ['group', `(?:in|into|to|under) (?:the )?(${Q}) (?:navigation )?(?:group|section)`],
    ['section', `(?:with|and) (?:a|one) section(?: (?:titled|called|named|on|about))? (${Q}|${NAME})$`],
    [
      'text',
      `(?:(?:with|containing|saying|that says|that reads|and) )(?:(?:the|this|following) )*(?:(?:text|content|contents|body|words)(?: is)? )?(${Q})`,
    ],
    ['folder', `(?:in|into|under|to) (?:the )?(?:folder|directory) (${PATH})`],
    ['folder', `(?:in|into|under|to) (?:the )?(${PATH}) (?:folder|directory)`],
    ['folder', `(?:in|into|under) (?:the )?(?!(?:path|file|url|address)\\b)([^\\s,;.\\uE000]+)`],
    ['path', `(?:at|as|in|under|with) (?:the )?(?:(?:path|file|url|address) )?(${PATH})`],
    ['title', `(${Q})`],
    ['path', `([^\\s,;\\uE000]+/[^\\s,;\\uE000]+)`],
  ] as [PageField, string][]
).map(([name, source]) => [name, new RegExp(`^${source}${MORE}`, 'iu')] as const);

export function readAddPage(sentence: string, { quotes }: Context): Instruction[] | null {
  const found = firstMatch(ADD_PAGE, sentence);
  if (!found) return null;
  const said: Partial<Record<PageField, string>> = {};
  if (found['title'] !== undefined) said.title = found['title'];
  let rest = found['clauses']!.trim();
  while (rest !== '') {
    const clause = PAGE_CLAUSES.map(([name, expression]) => ({ name, match: expression.exec(rest) })).find(
      ({ name, match }) => match && said[name] === undefined,
    );
    if (!clause?.match) return null;
    said[clause.name] = clause.match[1]!;
    rest = rest.slice(clause.match[0].length).replace(/^[\s,]+(?:and (?=with|in|at|under))?/i, '');
  }
  // "A better page" has no title, and a text beside a section leaves open which comes first.
  if (said.title !== undefined && !isQuoted(said.title) && !/^[\p{Lu}\d]/u.test(said.title)) return null;
  if (said.text !== undefined && said.section !== undefined) return null;
  const value = (name: PageField) => (said[name] === undefined ? null : valueOf(said[name], quotes));
  const [title, path, section] = [value('title'), value('path'), value('section')];
  if ((title === null && path === null) || title?.trim() === '') return null;
  const text = section === null ? value('text') : `## ${section[0]!.toUpperCase()}${section.slice(1)}`;
  return [{ kind: 'add-page', title, path, folder: value('folder'), group: value('group'), text }];
}

const MOVE = forms(
  /^(?:rename|move|relocate) /i,
  `(?<verb>rename|move|relocate) ${THE}(?:(?<before>page|file|article|image|asset|folder|directory|document) )?(?:from )?(?<from>${NAME})(?: (?<behind>page|file|folder|directory|guide|article))? (?<joint>to|into|as|under|below|inside|->) (?:be )?(?:the )?(?:(?<noun>page|file|folder|directory|path) )?(?<to>${Q}|${NAME})(?: (?<targetNoun>folder|directory))?`,
);

export function readMove(sentence: string, { quotes }: Context): Instruction[] | null {
  const found = firstMatch(MOVE, sentence);
  if (!found) return null;
  const noun = found['before'] ?? found['behind'];
  const [from, to] = [pageOf(found['from']!, quotes), valueOf(found['to']!, quotes)];
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(to)) return null;
  const isPath = looksLikePath(from);
  if (noun === undefined && !isPath && !isQuoted(found['from']!)) return null;
  if (/^rename$/i.test(found['verb']!)) {
    // A page is renamed to a path; a name with spaces or capitals and no path in it is a title.
    const isTitle = /\s/.test(to) || /^\p{Lu}[^/.]*$/u.test(to);
    if (isTitle) return noun !== undefined || isPath ? [{ kind: 'retitle', page: from, title: to }] : null;
    if (noun === undefined && !isPath) return null;
  }
  if (/\s/.test(to) && !isQuoted(found['to']!)) return null;
  const what = nounKind(noun) ?? (from.endsWith('/') ? 'folder' : null);
  const intoFolder = what !== 'folder' && nounKind(found['noun'] ?? found['targetNoun']) === 'folder';
  // A file's name is the target, whatever the word in front of it.
  const isFile = /\.(?:mdx?|markdown)$/i.test(to);
  const into = intoFolder || (!isFile && /^(?:into|under|below|inside)$/i.test(found['joint']!));
  // A folder, or the place after a page in the navigation.
  const isUnclear = /^below$/i.test(found['joint']!) && !intoFolder && !isFile && !to.endsWith('/');
  return [{ kind: 'move', from, to, what, into: isUnclear ? 'unclear' : into }];
}

function nounKind(noun: string | undefined): 'page' | 'folder' | null {
  if (noun === undefined || /path/i.test(noun)) return null;
  return /folder|director/i.test(noun) ? 'folder' : 'page';
}

const ANY_QUOTE = new RegExp(Q);
const DELETE = forms(
  /^(?:delete|remove|drop|get rid of) /i,
  `(?:delete|remove|drop|get rid of) ${pages('pages')}(?:,? (?:and )?(?:redirect|send|point)(?: (?:it|its readers|readers|the old address|them))? to ${page('to')})?`,
);

export function readDelete(sentence: string, { quotes }: Context): Instruction[] | null {
  const found = firstMatch(DELETE, sentence);
  if (!found) return null;
  const list = found['pages']!;
  const names = pagesIn(list, quotes);
  const noun = /(?:^|\s)(?:pages?|files?|folders?|director(?:y|ies)|articles?|documents?|images?|guide)(?=\s|$)/i.exec(
    list,
  )?.[0];
  // A word in quotes may be a text: "remove “beta”".
  const isPage = (name: string) => looksLikePath(name) && (/[/.]/.test(name) || !ANY_QUOTE.test(list));
  if (noun === undefined && !names.every(isPage)) return null;
  const redirectTo = found['to'] === undefined ? null : pageOf(found['to'], quotes);
  return names.map((name) => ({ kind: 'delete', page: name, what: nounKind(noun), redirectTo }));
}
