import { withoutContext } from '@docent/recipes/prompt-context';
import { describeTurn, tamed } from '@docent/agent/commit-message';
import type { Queryable } from '../../store/database.ts';
import type { StoredOverlayEntry } from '../../store/jobs/overlay.ts';
import type { TurnRow } from '../../store/jobs/turn-fence.ts';
import { listHeldBack, listTurnMessages, type MessageRow } from '../../store/jobs/turns.ts';
import { closingText } from '../step/turn-entries.ts';
import { hideSecrets } from '../step/outgoing-secrets.ts';
import { turnTrailer } from '../open/pushed-before.ts';

/** `own`: the turn's closing words unchanged, or null. The rest is as others may see it. */
export interface TurnText {
  prompts: string[];
  closing: string;
  own: string | null;
}

/**
 * Prompts and answers of a turn and those it publishes, without secrets, and without the material that came
 * with a prompt: it may be long, and of strangers. Only the last closing text.
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
    prompts: await Promise.all(messages.map(({ prompt }) => hideSecrets(withoutContext(prompt), allowed))),
    closing: await hideSecrets(closing, allowed),
    own,
  };
}

/** The commit message rules of a job and its project. */
export interface MessageRules {
  /** Replaces the first line; null if the job has none for this commit. */
  title: string | null;
  /** See the setting `commitSubject` of a project. */
  template: string | undefined;
  signOff: { name: string; email: string } | null;
  allowedSecrets: readonly string[];
}

/** Built from rows that no longer change, so each attempt returns the same. */
export async function commitMessageOf(
  turn: Pick<TurnRow, 'jobId' | 'no'>,
  { prompts, closing }: TurnText,
  overlay: readonly StoredOverlayEntry[],
  { title, template, signOff, allowedSecrets }: MessageRules,
): Promise<string> {
  const said = describeTurn({ prompts, closingText: closing, changes: overlay, template });
  const subject = title === null ? said.title : tamed(title);
  const body = said.body ? `${said.body.trim()}\n\n` : '';
  const trailers = [...(signOff ? [`Signed-off-by: ${signOff.name} <${signOff.email}>`] : []), turnTrailer(turn)];
  return `${await hideSecrets(`${subject}\n\n${body}`, allowedSecrets)}${trailers.join('\n')}\n`;
}
