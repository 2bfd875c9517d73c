import { describeTurn } from '../../agent/commit-message.ts';
import type { Queryable } from '../../store/database.ts';
import type { StoredOverlayEntry } from '../../store/overlay.ts';
import type { TurnRow } from '../../store/turn-fence.ts';
import { listHeldBack, listTurnMessages, type MessageRow } from '../../store/turns.ts';
import { closingText } from '../step/turn-entries.ts';
import { hideSecrets } from '../step/outgoing-secrets.ts';
import { turnTrailer } from '../open/pushed-before.ts';

/** `own`: the turn's own closing words as they are, null where there are none. The rest is as others may see it. */
export interface TurnText {
  prompts: string[];
  closing: string;
  own: string | null;
}

/**
 * What was asked and said in a turn, and in those before it whose change it publishes, as others may see it: without secrets, but for
 * those that are allowed. Of closing words, the last.
 */
export async function turnText(
  q: Queryable,
  { jobId, no }: Pick<TurnRow, 'jobId' | 'no'>,
  allowed: readonly string[],
): Promise<TurnText> {
  const messages: MessageRow[] = [];
  let closing = '';
  let own: string | null = null;
  for (const turnNo of [...(await listHeldBack(q, jobId, no)), no]) {
    messages.push(...(await listTurnMessages(q, jobId, turnNo)));
    own = await closingText(q, jobId, turnNo);
    closing = own ?? closing;
  }
  return {
    prompts: await Promise.all(messages.map(({ prompt }) => hideSecrets(prompt, allowed))),
    closing: await hideSecrets(closing, allowed),
    own,
  };
}

/** Made of rows that no longer change, so that each attempt says the same. */
export async function commitMessageOf(
  turn: Pick<TurnRow, 'jobId' | 'no'>,
  { prompts, closing }: TurnText,
  overlay: readonly StoredOverlayEntry[],
  allowed: readonly string[],
): Promise<string> {
  const { title, body } = describeTurn({ prompts, closingText: closing, changes: overlay });
  const said = await hideSecrets(`${title}\n\n${body ? `${body.trim()}\n\n` : ''}`, allowed);
  return `${said}${turnTrailer(turn)}\n`;
}
