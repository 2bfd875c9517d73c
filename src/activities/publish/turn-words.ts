import { describeTurn } from '../../agent/commit-message.ts';
import type { Queryable } from '../../store/database.ts';
import type { StoredOverlayEntry } from '../../store/overlay.ts';
import type { TurnRow } from '../../store/turn-fence.ts';
import { listTurnMessages } from '../../store/turns.ts';
import { closingWords } from '../turn/closing-words.ts';
import { hideSecrets } from './outgoing-secrets.ts';
import { turnTrailer } from './pushed-before.ts';

/** What was asked and said in a turn, as others may see it: without secrets, but for those that are allowed. */
export async function wordsOf(
  q: Queryable,
  { jobId, no }: Pick<TurnRow, 'jobId' | 'no'>,
  allowed: readonly string[],
): Promise<{ prompts: string[]; closing: string }> {
  const messages = await listTurnMessages(q, jobId, no);
  const closing = (await closingWords(q, jobId, no)) ?? '';
  return {
    prompts: await Promise.all(messages.map(({ prompt }) => hideSecrets(prompt, allowed))),
    closing: await hideSecrets(closing, allowed),
  };
}

/** Made of rows that no longer change, so that each attempt says the same. */
export async function commitMessageOf(
  q: Queryable,
  turn: TurnRow,
  overlay: readonly StoredOverlayEntry[],
  allowed: readonly string[],
): Promise<string> {
  const { prompts, closing } = await wordsOf(q, turn, allowed);
  const { title, body } = describeTurn({ prompts, closingText: closing, changes: overlay });
  const said = await hideSecrets(`${title}\n\n${body ? `${body.trim()}\n\n` : ''}`, allowed);
  return `${said}${turnTrailer(turn)}\n`;
}
