import type { Instruction } from './instruction.ts';
import { valueOf, type Quote } from './quotes.ts';
import { NAME, NAVIGATION_NAMES, P, pattern, Q, REF, T, THE } from './sentence-patterns.ts';
import { read, type Form } from './sentence-page-parts.ts';

const NAVIGATION = `(?:${NAVIGATION_NAMES})`;
const IN_NAVIGATION = `(?: (?:in|of|on|within) ${THE}${NAVIGATION})`;
const KIND = `(?:${NAVIGATION} )?(?:group|category|tab)|${NAVIGATION} (?:section|heading|item|entry)`;
const GROUP = `(?:${KIND})`;
const RENAME = '(?:rename|change|retitle|update|call)';

const RENAMES: Form[] = [
  [
    pattern(`${RENAME} ${THE}${GROUP}(?: titled| called| named)? (${NAME})${IN_NAVIGATION}? (?:to|into|as) (${T})`),
    'item',
    'to',
  ],
  [pattern(`${RENAME} ${THE}(${NAME}) ${GROUP}${IN_NAVIGATION}? (?:to|into|as) (${T})`), 'item', 'to'],
  [pattern(`${RENAME} (${Q}) (?:to|into|as) (${Q})${IN_NAVIGATION}`), 'item', 'to'],
];

const MOVE = '(?:move|put|place|list|reorder|show|bring|shift)';
const BESIDE =
  '(before|after|above|ahead of|in front of|behind|right before|right after|directly before|directly after|below)';
const ITEM = `(?:(${GROUP}|page) )?(${NAME})( ${GROUP}| page)?`;
const PLACE_BESIDE = pattern(`${MOVE} ${THE}${ITEM}(?: to)? ${BESIDE} ${THE}${ITEM}(${IN_NAVIGATION})?`);
const END = '(top|start|beginning|front|first place|bottom|end|last place|first position|last position)';
const PLACE_END = pattern(
  `${MOVE} ${THE}${ITEM} (?:to|at) (?:the )?(?:very )?${END}(?: (?:of|in) ${THE}(?:${NAVIGATION}|${GROUP} (${NAME})|(${NAME})(?: group| category| section| tab)?))?`,
);
const PLACE_ORDINAL = pattern(
  `(?:${MOVE}|make) ${THE}${ITEM} (?:be )?(?:the )?(first|last)(?: (?:page|entry|item|one|group))?(?: (?:in|of) ${THE}(?:${NAVIGATION}|${GROUP} (${NAME})|(${NAME})(?: group| category| section| tab)?))?`,
);
const PLACE_IN = pattern(
  `${MOVE} ${THE}(?:page )?(${P})(?: page)? (?:to|into|in|under) ${THE}(?:${GROUP} (${NAME})|(${NAME}) ${GROUP})(?:${IN_NAVIGATION})?`,
);

const REDIRECTS: Form[] = [
  [
    pattern(
      `(?:add|create|set up|setup|make|configure|put in|write) ${THE}(?:(?:new|permanent|301|302|http) )*redirect(?:ion)?s?(?: for)?(?: from)? ${REF} (?:to|->|=>|→|onto) ${REF}`,
    ),
    'from',
    'target',
  ],
  [
    pattern(`redirect (?:(?:readers|visitors|people|users|traffic) (?:of|from) )?${REF} (?:to|->|=>|→) ${REF}`),
    'from',
    'target',
  ],
];

const LAST = '(?:(?:very )?(?:last|latest|previous|most recent) )?';
const UNDO = pattern(
  `(?:undo|revert|roll back|rollback|take back|back out|reverse)(?: (?:it|that|this|everything|all|${THE}${LAST}(?:change|changes|edit|edits|turn|commit|step|one|thing|modifications?|work|message)(?: (?:again|of this job|that you made|you made|you did))?|(?:what|everything|all) (?:that )?you (?:just )?(?:did|changed)))?(?: (?:all )?(?:back|again))?`,
);
const HELP = pattern(
  `(?:help(?: me)?|what (?:can|could|do) you (?:do|understand|know)|what (?:are you able to|else can you) do|how (?:does this|do you) work|what (?:instructions|sentences|commands|requests) (?:can|do) you (?:understand|know|carry out|take)|(?:list|show)(?: me)? (?:the |your )?(?:instructions|commands|sentences))`,
);

/** What changes the navigation, redirects, or the whole of the last change. */
export function readArrangement(sentence: string, quotes: readonly Quote[]): Instruction[] | null {
  if (UNDO.test(sentence)) return [{ kind: 'undo' }];
  if (HELP.test(sentence)) return [{ kind: 'help' }];
  const redirect = read(REDIRECTS, sentence, quotes);
  if (redirect) return [{ kind: 'redirect', from: redirect['from']!, to: redirect['target']! }];
  const renamed = read(RENAMES, sentence, quotes);
  if (renamed) return [{ kind: 'rename-group', group: renamed['item']!, to: renamed['to']! }];
  return readPlace(sentence, quotes);
}

function readPlace(sentence: string, quotes: readonly Quote[]): Instruction[] | null {
  const beside = PLACE_BESIDE.exec(sentence);
  if (beside) {
    const [, before, item, behind, preposition, otherBefore, other, otherBehind, inNavigation] = beside;
    // “Move a below b” means a folder, unless the navigation is named.
    if (/^below$/i.test(preposition!) && inNavigation === undefined) return null;
    const place = /before|above|ahead|front/i.test(preposition!) ? 'before' : 'after';
    return [
      {
        kind: 'place',
        item: { name: text(item!, quotes), what: kindOf(before ?? behind) },
        place,
        beside: { name: text(other!, quotes), what: kindOf(otherBefore ?? otherBehind) },
        group: null,
      },
    ];
  }
  const end = PLACE_END.exec(sentence) ?? PLACE_ORDINAL.exec(sentence);
  if (end) {
    const [, before, item, behind, where, named, also] = end;
    const group = named ?? also;
    const place = /top|start|beginning|front|first/i.test(where!) ? 'first' : 'last';
    const what = kindOf(before ?? behind);
    return [
      {
        kind: 'place',
        item: { name: text(item!, quotes), what },
        place,
        beside: null,
        group: group ? text(group, quotes) : null,
      },
    ];
  }
  const into = PLACE_IN.exec(sentence);
  if (!into) return null;
  const group = text((into[2] ?? into[3])!, quotes);
  return [{ kind: 'place', item: { name: text(into[1]!, quotes), what: 'page' }, place: 'last', beside: null, group }];
}

function text(token: string, quotes: readonly Quote[]): string {
  return valueOf(token, quotes);
}

function kindOf(noun: string | undefined): 'page' | 'group' | null {
  if (noun === undefined) return null;
  return /page/i.test(noun) ? 'page' : 'group';
}
