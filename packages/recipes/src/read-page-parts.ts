import type { Instruction } from './instruction.ts';
import {
  ALL_PAGES,
  firstMatch,
  forms,
  isGiven,
  NAME,
  page,
  pageOf,
  Q,
  THE,
  TITLE,
  TO,
  WORDS,
  type Context,
  type Groups,
} from './patterns.ts';
import { isQuoted, valueOf } from './quotes.ts';

const OF = '(?:of|for|on|in)';
const FROM = `(?: from ${Q})?`;
const SET = '(?:change|set|update|edit|rewrite|make|write|replace|rename)';
const DESCRIPTION = '(?:meta |seo |page )?(?:description|subtitle|summary)';

/** For a title or a description. Without a page, that of the context. */
const valueForms = (part: string, value: string) => [
  `${SET} ${THE}${part} ${OF} ${page('page')}${FROM}(?: ${TO}| with| by|:) (?<text>${value})`,
  `${SET} ${THE}${part} (?:${TO}|with|by) (?<text>${Q}) ${OF} ${page('page')}`,
  `${SET} ${page('page')} ${part}${FROM} (?:${TO}|with|by) (?<text>${value})`,
  `${SET} (?:the |its )?${part}${FROM} (?:${TO}|with|by) (?<text>${value})`,
  `(?:add|give|write|put) ${THE}(?:new )?${part}:? (?<text>${Q}) (?:to|for|on|in) ${page('page')}`,
  `(?:add|write) ${THE}(?:new )?${part} (?:to|for|on) ${page('page')}:? (?<text>${Q})`,
  `give ${page('page')} ${THE}(?:new )?${part}:? (?<text>${value})`,
];
const DESCRIBE = forms(
  /descri|subtitle|summary/i,
  ...valueForms(DESCRIPTION, TITLE),
  `describe ${page('page')} as (?<text>${Q})`,
);
const RETITLE = forms(
  /title/i,
  ...valueForms('(?:page )?title', TITLE),
  `(?:re-?title|title) ${page('page')} (?:(?:to|as|->) )?(?<text>${TITLE})`,
);

const CHANGE = '(?:rename|change|update|retitle|edit|reword|replace|set)';
const HEADING =
  '(?:(?:section|page) )?(?:heading|header|headline|subheading|sub-heading|section(?: title| name| heading| header)?)';
const CALLED = '(?: (?:titled|called|named|that says|on|about))?';
const IN = '(?:in|on|of|at|from|within)';
const TO_OR_WITH = `(?:${TO}|with|by)`;
const HEADINGS = forms(
  /head|section/i,
  `${CHANGE} ${THE}${HEADING}${CALLED} (?<heading>${Q}|${WORDS}) ${TO_OR_WITH} (?<text>${Q}|${WORDS}) ${IN} ${page('page')}`,
  `${CHANGE} ${THE}${HEADING}${CALLED} (?<heading>${Q}|${WORDS}) ${IN} ${page('page')} ${TO_OR_WITH} (?<text>${TITLE})`,
  `${CHANGE} ${THE}(?<heading>${NAME}) ${HEADING} ${TO_OR_WITH} (?<text>${Q}|${WORDS}) ${IN} ${page('page')}`,
  `${CHANGE} ${THE}(?<heading>${NAME}) ${HEADING} ${IN} ${page('page')} ${TO_OR_WITH} (?<text>${TITLE})`,
  `${CHANGE} ${THE}${HEADING}${CALLED} (?<heading>${Q}) ${TO_OR_WITH} (?<text>${Q})`,
  `${CHANGE} ${THE}(?<heading>${Q}) ${HEADING} ${TO_OR_WITH} (?<text>${Q})`,
);

const REMOVE = '(?:remove|delete|drop|cut|strike|erase|take out|get rid of)';
const WHOLE = '(?:(?:whole|entire|complete) )?';
const SECTIONS = forms(
  /section/i,
  `${REMOVE} ${THE}${WHOLE}section${CALLED} (?<heading>${Q}|${WORDS}) ${IN} ${page('page')}`,
  `${REMOVE} ${THE}${WHOLE}(?<heading>${NAME}) section ${IN} ${page('page')}`,
  `${REMOVE} ${THE}${WHOLE}section${CALLED} (?<heading>${Q})`,
  `${REMOVE} ${THE}${WHOLE}(?<heading>${Q}) section`,
);

const TEXT = '(?:sentence|text|paragraph|line|phrase|words?|passage|note|bullet(?: point)?|list item)';
const SAYING = '(?: that says| saying| that reads)?:?';
const TEXTS = forms(
  /^(?:remove|delete|drop|cut|strike|erase|take out|get rid of) /i,
  `${REMOVE} (?:${THE}(?<noun>${TEXT})${SAYING} )?(?<text>${Q}) (?<all>${ALL_PAGES})`,
  `${REMOVE} (?:${THE}(?<noun>${TEXT})${SAYING} )?(?<text>${Q}) ${IN} ${page('page')}`,
  `${REMOVE} ${THE}(?<noun>${TEXT})${SAYING} (?<text>${Q})`,
);

const TEXT_IS = `(?:,? (?:with|containing|saying|that says)(?: (?:the|this|following))*(?: (?:text|content|body))?:? (?<GROUP>${Q}))?`;
const TO_PAGE = `(?:to|at|on|in|for) (?:the (?:end|bottom) of )?${page('page')}`;
const ADD = '(?:append|add|insert|write|create)';
const APPEND_SECTION = forms(
  /section/i,
  `${ADD} ${THE}(?:new )?section(?: (?:titled|called|named|headed|on|about|with (?:the )?(?:title|heading)))? (?<heading>${NAME})${TEXT_IS.replace('GROUP', 'before')} ${TO_PAGE}${TEXT_IS.replace('GROUP', 'after')}`,
  `${ADD} ${THE}(?:new )?(?<heading>${NAME}) section ${TO_PAGE}${TEXT_IS.replace('GROUP', 'after')}`,
  `${ADD} ${THE}(?:new )?section(?: (?:titled|called|named|headed))? (?<heading>${NAME})${TEXT_IS.replace('GROUP', 'after')}`,
);
const APPEND_TEXT = forms(
  /^(?:append|add|insert|put|write|prepend) /i,
  `(?:append|add|insert|put|write|prepend) (?:(?:the|this|a) )*(?:${TEXT} )?(?<text>${Q}) (?:to|at|on) (?:the (?<at>top|start|beginning|end|bottom) of )?${page('page')}`,
);

/** Instructions about a part of one page. */
export function readPagePart(sentence: string, context: Context): Instruction[] | null {
  const { quotes } = context;
  const value = (token: string) => valueOf(token, quotes);
  const pageIn = (found: Groups) => (found['page'] === undefined ? context.page : pageOf(found['page'], quotes));

  for (const [kind, patterns] of [
    ['describe', DESCRIBE],
    ['retitle', RETITLE],
  ] as const) {
    const found = firstMatch(patterns, sentence);
    const page = found && pageIn(found);
    if (!found || page === null || !isGiven(found['text']!, quotes)) continue;
    const text = value(found['text']!);
    return [kind === 'describe' ? { kind, page, text } : { kind, page, title: text }];
  }
  const heading = firstMatch(HEADINGS, sentence);
  if (heading && isGiven(heading['text']!, quotes)) {
    return [
      {
        kind: 'rename-heading',
        page: pageIn(heading),
        heading: value(heading['heading']!),
        text: value(heading['text']!),
      },
    ];
  }
  const section = firstMatch(SECTIONS, sentence);
  if (section) return [{ kind: 'remove-section', page: pageIn(section), heading: value(section['heading']!) }];
  return readText(sentence, context, pageIn) ?? readAppend(sentence, context, pageIn);
}

function readText(
  sentence: string,
  { quotes }: Context,
  pageIn: (found: Groups) => string | null,
): Instruction[] | null {
  const found = firstMatch(TEXTS, sentence);
  if (!found) return null;
  const text = valueOf(found['text']!, quotes);
  // “Remove `guides/old` from docs.json” means a page, unless a noun says otherwise.
  if (found['noun'] === undefined && /^\S+$/.test(text) && /[/]|\.\w/.test(text)) return null;
  // A word is removed everywhere on its page, a sentence only if it occurs once.
  const everywhere = found['all'] !== undefined || /^word$/i.test(found['noun'] ?? '');
  return [{ kind: 'remove-text', page: found['all'] === undefined ? pageIn(found) : null, everywhere, text }];
}

function readAppend(
  sentence: string,
  { quotes }: Context,
  pageIn: (found: Groups) => string | null,
): Instruction[] | null {
  const section = firstMatch(APPEND_SECTION, sentence);
  const page = section && pageIn(section);
  if (section && page !== null) {
    const { heading = '', before, after } = section;
    const text = before ?? after;
    if (!isQuoted(heading) && !/^[\p{Lu}\d]/u.test(heading)) return null;
    return [
      {
        kind: 'append-section',
        heading: valueOf(heading, quotes),
        page,
        text: text === undefined ? null : valueOf(text, quotes),
      },
    ];
  }
  const { text, at = 'end', ...found } = firstMatch(APPEND_TEXT, sentence) ?? {};
  if (text === undefined) return null;
  const top = /top|start|beginning/i.test(at) || /^prepend/i.test(sentence);
  return [{ kind: 'append-text', page: pageIn(found)!, at: top ? 'top' : 'end', text: valueOf(text, quotes) }];
}
