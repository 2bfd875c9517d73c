import type { LimitReached } from '@docent/models/conversation/limit-reached';
import type { TranscriptEntry } from '@docent/models/conversation/transcript';

/** The notice for an agent whose turn ends at a limit: it can call no more tools, and sums up. */
export function askToSumUp(limit: LimitReached): TranscriptEntry {
  return {
    role: 'notice',
    kind: 'limit',
    limit,
    text:
      `${limit.message} This is your last message of this turn: you can no longer call tools. Sum up in ` +
      'plain text. First a line of at most 72 characters that says what was changed; then what is done, ' +
      'what is left to do, and what prevented it. Claim nothing that the results above do not show.',
  };
}

/** The limit at which a recorded answer was the turn's last message, or null. */
export function limitOf(entries: readonly TranscriptEntry[]): LimitReached | null {
  const notice = entries.find((entry) => entry.role === 'notice' && entry.limit !== undefined);
  return notice?.role === 'notice' ? (notice.limit ?? null) : null;
}

const MAX_NAMED = 20;

/** The summary if a model returns none. */
export function sumUpWithoutModel(limit: LimitReached, changed: readonly string[]): string {
  const named = changed.slice(0, MAX_NAMED).map((path) => `- ${path}`);
  const more = changed.length - named.length;
  return [
    'Stopped before the work was done',
    '',
    `${limit.message} It did not say what is left to do.`,
    '',
    ...(named.length > 0 ? ['Changed so far:', ...named] : ['Nothing was changed.']),
    ...(more > 0 ? [`- and ${more} more`] : []),
  ].join('\n');
}
