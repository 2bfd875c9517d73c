import type { Instruction } from './instruction.ts';
import {
  firstMatch,
  forms,
  isGiven,
  NAME,
  NAVIGATION,
  page,
  pageOf,
  Q,
  THE,
  TITLE,
  TO,
  type Context,
} from './patterns.ts';
import { valueOf } from './quotes.ts';

const IN_NAVIGATION = `(?: (?:in|of|on|within|from) ${THE}${NAVIGATION})`;
const GROUP = `(?:(?:${NAVIGATION} )?(?:group|category|tab)|${NAVIGATION} (?:section|heading|item|entry))`;
const RENAME = '(?:rename|change|retitle|update|call)';
const RENAMES = forms(
  /^(?:rename|change|retitle|update|call) /i,
  `${RENAME} ${THE}${GROUP}(?: titled| called| named)? (?<item>${NAME})${IN_NAVIGATION}? ${TO} (?<to>${TITLE})`,
  `${RENAME} ${THE}(?<item>${NAME}) ${GROUP}${IN_NAVIGATION}? ${TO} (?<to>${TITLE})`,
  `${RENAME} (?:${THE}(?:section|heading|item|entry) )?(?<item>${Q}) ${TO} (?<to>${Q})${IN_NAVIGATION}`,
);

const MOVE = '(?:move|put|place|list|reorder|show|bring|shift)';
const item = (name: string) =>
  `(?:(?<${name}Before>${GROUP}|page) )?(?<${name}>${NAME})(?<${name}Behind> ${GROUP}| page)?`;
const BESIDE =
  '(?<beside>before|after|above|ahead of|in front of|behind|right before|right after|directly before|directly after|below)';
const OF_GROUP = `(?: (?:of|in) ${THE}(?:${NAVIGATION}|${GROUP} (?<group>${NAME})|(?<sameGroup>${NAME})(?: group| category| section| tab)?))?`;
const END = '(?<end>top|start|beginning|front|first place|bottom|end|last place|first position|last position)';
const PLACES = forms(
  /^(?:move|put|place|list|reorder|show|bring|shift|make) /i,
  `${MOVE} ${THE}${item('item')}(?: to)? ${BESIDE} ${THE}${item('other')}(?<inNavigation>${IN_NAVIGATION})?`,
  `${MOVE} ${THE}${item('item')} (?:to|at) (?:the )?(?:very )?${END}${OF_GROUP}`,
  `(?:${MOVE}|make) ${THE}${item('item')} (?:be )?(?:the )?(?<end>first|last)(?: (?:page|entry|item|one|group))?${OF_GROUP}`,
);
const PLACE_IN = forms(
  /^(?:move|put|place|list|reorder|show|bring|shift) /i,
  `${MOVE} ${page('page')} (?:to|into|in|under) ${THE}(?:${GROUP} (?<group>${NAME})|(?<sameGroup>${NAME}) ${GROUP})${IN_NAVIGATION}?`,
);
const KEPT = '(?:,? (?:but|and) (?:keep|leave) (?:the page|the file|it)(?: itself)?(?: in place| as it is| alone)?)?';
const UNLIST = forms(
  /^(?:take|remove|drop|hide) /i,
  `take ${page('page')} (?:out of|off) ${THE}${NAVIGATION}${KEPT}`,
  `(?:remove|drop|hide) ${page('page')}${IN_NAVIGATION}${KEPT}`,
);

const REDIRECTS = forms(
  /redirect/i,
  `(?:add|create|set up|setup|make|configure|put in|write) ${THE}(?:(?:new|permanent|301|302|http) )*redirect(?:ion)?s?(?: for)?(?: from)?:? ${page('from')} (?:to|->|onto) ${page('to')}`,
  `redirect (?:(?:readers|visitors|people|users|traffic) (?:of|from) )?${page('from')} (?:to|->) ${page('to')}`,
);

/** Instructions about the order and names of the navigation, and about redirects. */
export function readNavigation(sentence: string, { quotes }: Context): Instruction[] | null {
  const redirect = firstMatch(REDIRECTS, sentence);
  if (redirect) {
    // Unlike elsewhere, the address may be on another site.
    return [{ kind: 'redirect', from: valueOf(redirect['from']!, quotes), to: valueOf(redirect['to']!, quotes) }];
  }
  const renamed = firstMatch(RENAMES, sentence);
  if (renamed && isGiven(renamed['to']!, quotes)) {
    return [{ kind: 'rename-group', group: valueOf(renamed['item']!, quotes), to: valueOf(renamed['to']!, quotes) }];
  }
  const unlisted = firstMatch(UNLIST, sentence);
  if (unlisted) return [{ kind: 'unlist', page: pageOf(unlisted['page']!, quotes) }];
  return readPlace(sentence, { quotes, page: null });
}

function readPlace(sentence: string, { quotes }: Context): Instruction[] | null {
  const found = firstMatch(PLACES, sentence);
  if (found) {
    const { beside, end = '' } = found;
    // “Move a below b” means a folder, unless the navigation is named.
    if (/^below$/i.test(beside ?? '') && found['inNavigation'] === undefined) return null;
    const isFirst = /before|above|ahead|in front|^top|start|beginning|^front|first/i.test(beside ?? end);
    const named = (name: string) => ({
      name: pageOf(found[name]!, quotes),
      what: kindOf(found[`${name}Before`] ?? found[`${name}Behind`]),
    });
    const group = found['group'] ?? found['sameGroup'];
    const place = beside === undefined ? (isFirst ? 'first' : 'last') : isFirst ? 'before' : 'after';
    return [
      {
        kind: 'place',
        item: named('item'),
        place,
        beside: beside === undefined ? null : named('other'),
        group: group === undefined ? null : valueOf(group, quotes),
      },
    ];
  }
  const into = firstMatch(PLACE_IN, sentence);
  if (!into) return null;
  const group = valueOf((into['group'] ?? into['sameGroup'])!, quotes);
  const name = pageOf(into['page']!, quotes);
  return [{ kind: 'place', item: { name, what: 'page' }, place: 'last', beside: null, group }];
}

function kindOf(noun: string | undefined): 'page' | 'group' | null {
  if (noun === undefined) return null;
  return /page/i.test(noun) ? 'page' : 'group';
}
