import type { Instruction } from './instruction.ts';
import { pageOf, valueOf, type Quote } from './quotes.ts';
import { isGiven, NAME, pattern, Q, REF, T, THE } from './sentence-patterns.ts';

const SET = '(?:change|set|update|edit|rewrite|make|write|replace)';
const TO = '(?:to|as|into|with|by|:|=)';
const FROM = `(?: from ${Q})?`;

/** Groups in the order of the names behind each. */
export type Form = [expression: RegExp, ...names: string[]];

const DESCRIPTION = '(?:meta |seo |page )?(?:description|subtitle|summary)';
const DESCRIBE: Form[] = [
  [pattern(`${SET} ${THE}${DESCRIPTION} (?:of|for|on|in) ${REF}${FROM}(?: ${TO}|:) (${T})`), 'page', 'text'],
  [pattern(`${SET} ${THE}${DESCRIPTION} ${TO} (${Q}) (?:of|for|on|in) ${REF}`), 'text', 'page'],
  [pattern(`${SET} ${REF}(?:'s)? ${DESCRIPTION} ${TO} (${T})`), 'page', 'text'],
  [pattern(`(?:add|give|write|put) ${THE}${DESCRIPTION}:? (${Q}) (?:to|for|on|in) ${REF}`), 'text', 'page'],
  [pattern(`(?:add|write) ${THE}${DESCRIPTION} (?:to|for|on) ${REF}:? (${Q})`), 'page', 'text'],
  [pattern(`give ${REF} ${THE}(?:new )?${DESCRIPTION}:? (${T})`), 'page', 'text'],
  [pattern(`describe ${REF} as (${Q})`), 'page', 'text'],
];

const CHANGE = '(?:rename|change|update|retitle|edit|reword|replace|set)';
const HEADING =
  '(?:(?:section|page) )?(?:heading|header|headline|subheading|sub-heading|section(?: title| name| heading| header)?)';
const CALLED = '(?: (?:titled|called|named|that says|on|about))?';
const IN = '(?:in|on|of|at|from|within)';
const HEADINGS: Form[] = [
  [pattern(`${CHANGE} ${THE}${HEADING}${CALLED} (${NAME}) ${TO} (${NAME}) ${IN} ${REF}`), 'heading', 'text', 'page'],
  [pattern(`${CHANGE} ${THE}${HEADING}${CALLED} (${NAME}) ${IN} ${REF} ${TO} (${T})`), 'heading', 'page', 'text'],
  [pattern(`${CHANGE} ${THE}(${NAME}) ${HEADING} ${TO} (${NAME}) ${IN} ${REF}`), 'heading', 'text', 'page'],
  [pattern(`${CHANGE} ${THE}(${NAME}) ${HEADING} ${IN} ${REF} ${TO} (${T})`), 'heading', 'page', 'text'],
  [pattern(`${CHANGE} ${THE}${HEADING}${CALLED} (${Q}) ${TO} (${Q})`), 'heading', 'text'],
  [pattern(`${CHANGE} ${THE}(${Q}) ${HEADING} ${TO} (${Q})`), 'heading', 'text'],
];

const REMOVE = '(?:remove|delete|drop|cut|strike|erase|take out|get rid of)';
const WHOLE = '(?:(?:whole|entire|complete) )?';
const SECTIONS: Form[] = [
  [pattern(`${REMOVE} ${THE}${WHOLE}section${CALLED} (${NAME}) ${IN} ${REF}`), 'heading', 'page'],
  [pattern(`${REMOVE} ${THE}${WHOLE}(${NAME}) section ${IN} ${REF}`), 'heading', 'page'],
  [pattern(`${REMOVE} ${THE}${WHOLE}section${CALLED} (${Q})`), 'heading'],
  [pattern(`${REMOVE} ${THE}${WHOLE}(${Q}) section`), 'heading'],
];

const TEXT = '(?:sentence|text|paragraph|line|phrase|words?|passage|note|bullet(?: point)?|list item)';
const NAMED_TEXT = new RegExp(`^${REMOVE} ${THE}${TEXT}\\b`, 'i');
const TEXTS: Form[] = [
  [pattern(`${REMOVE} ${THE}${TEXT}(?: that says| saying| that reads)?:? (${Q}) ${IN} ${REF}`), 'text', 'page'],
  [pattern(`${REMOVE} (${Q}) ${IN} ${REF}`), 'text', 'page'],
  [pattern(`${REMOVE} ${THE}${TEXT}(?: that says| saying| that reads)?:? (${Q})`), 'text'],
];

/** What changes a part of one page. */
export function readPagePart(sentence: string, quotes: readonly Quote[]): Instruction[] | null {
  const described = read(DESCRIBE, sentence, quotes);
  if (described) return [{ kind: 'describe', page: described['page']!, text: described['text']! }];
  const heading = read(HEADINGS, sentence, quotes);
  if (heading) {
    const { page = null } = heading;
    return [{ kind: 'rename-heading', page, heading: heading['heading']!, text: heading['text']! }];
  }
  const section = read(SECTIONS, sentence, quotes);
  if (section) return [{ kind: 'remove-section', page: section['page'] ?? null, heading: section['heading']! }];
  const text = read(TEXTS, sentence, quotes);
  // “Remove `guides/old` from docs.json” means a page, unless it says what it is.
  if (text && (!/^\S+$/.test(text['text']!) || !/[/]|\.\w/.test(text['text']!) || NAMED_TEXT.test(sentence))) {
    return [{ kind: 'remove-text', page: text['page'] ?? null, text: text['text']! }];
  }
  return null;
}

export function read(
  forms: readonly Form[],
  sentence: string,
  quotes: readonly Quote[],
): Record<string, string> | null {
  for (const [expression, ...names] of forms) {
    const match = expression.exec(sentence);
    if (!match) continue;
    if (names.some((name, i) => (name === 'text' || name === 'to') && !isGiven(match[i + 1]!))) continue;
    return Object.fromEntries(
      names.map((name, i) => [name, (name === 'page' ? pageOf : valueOf)(match[i + 1]!, quotes)]),
    );
  }
  return null;
}
