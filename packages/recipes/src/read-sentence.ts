import type { Instruction } from './instruction.ts';
import { firstMatch, forms, NAME, NAVIGATION, pageOf, pattern, THE, type Context } from './patterns.ts';
import { readNavigation } from './read-navigation.ts';
import { readPagePart } from './read-page-parts.ts';
import { readAddAttachment, readAddPage, readDelete, readFixLinks, readMove } from './read-pages.ts';
import { readReplace } from './read-replace.ts';

const READERS = [
  readAddAttachment,
  readPagePart,
  readNavigation,
  readFixLinks,
  readAddPage,
  readMove,
  readDelete,
  readReplace,
  readMessage,
];

/** Reads one sentence, completely or not at all; null if it is not understood. */
export function readSentence(sentence: string, context: Context): Instruction[] | null {
  for (const read of READERS) {
    const found = read(sentence, context);
    if (found) return found;
  }
  return readWithPlaceAhead(sentence, context);
}

const PLACE_AHEAD = forms(
  /^(?:in|on|within|inside|under|for|at) /i,
  `(?:in|on|within|inside|under|for|at) ${THE}(?:(?<navigation>${NAVIGATION})|(?:(?:page|file|folder|article|guide) )?(?<page>${NAME})(?: (?:page|file|folder|directory|article))?)[,:]? (?:(?:please|kindly),? )?(?<rest>(?:replace|change|rename|swap|substitute|exchange|correct|fix|repair|set|update|edit|add|append|insert|prepend|write|remove|delete|drop|cut|take out|retitle|reword|move|put)\\b.+)`,
);

/** "In guides/install, replace …": a scope before the rest. */
function readWithPlaceAhead(sentence: string, context: Context): Instruction[] | null {
  const { navigation, page, rest } = firstMatch(PLACE_AHEAD, sentence) ?? {};
  if (rest === undefined || context.page !== null) return null;
  if (navigation !== undefined) return readNavigation(`${rest} in the ${navigation}`, context);
  const found = readSentence(rest, { ...context, page: pageOf(page!, context.quotes) });
  return found?.every((instruction) => isAbout(instruction, page!, context)) ? found : null;
}

/** Whether the leading page is the subject of the instruction: "In guides, delete index" names another. */
function isAbout(instruction: Instruction, page: string, { quotes }: Context): boolean {
  const ahead = pageOf(page, quotes);
  if (instruction.kind === 'replace') return instruction.within.length === 1 && instruction.within[0] === ahead;
  if (instruction.kind === 'fix-links') return instruction.within === ahead;
  return 'page' in instruction && instruction.kind !== 'delete' && instruction.page === ahead;
}

const LAST = '(?:(?:very )?(?:last|latest|previous|most recent) )?';
const UNDO = pattern(
  '(?:undo|revert|roll back|rollback|take back|back out|reverse)(?: ' +
    `(?:it|that|this|everything|all|${THE}${LAST}(?:change|changes|edit|edits|turn|commit|step|one|thing|modifications?|work|message)(?: ` +
    '(?:again|of this job|that you made|you made|you did))?|(?:what|everything|all) (?:that )?you (?:just ' +
    ')?(?:did|changed)))?(?: (?:all )?(?:back|again))?',
);
const HELP = pattern(
  '(?:help(?: me)?|what (?:can|could|do) you (?:do|understand|know)|what (?:are you able to|else can you) do|how (?:does this|do you) work|(?:list|show)(?: me)? (?:the |your )?(?:recipes|instructions|commands|sentences))',
);
const GO_ON = pattern('(?:go on|continue|carry on|try (?:it )?again|retry|proceed|resume)');

/** Instructions about the job, which change no page. */
function readMessage(sentence: string): Instruction[] | null {
  if (UNDO.test(sentence)) return [{ kind: 'undo' }];
  if (HELP.test(sentence)) return [{ kind: 'help' }];
  return GO_ON.test(sentence) ? [{ kind: 'go-on' }] : null;
}
