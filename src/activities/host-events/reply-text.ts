import { plural } from '@docent/base/plural';
import { readDiff } from '@docent/client';
import { tamed } from '@docent/agent/commit-message';
import { beginningOf } from '@docent/base/ellipsis';
import type { HostPlace } from '../../store/hosts/host-talk-schema.ts';
import type { TurnRow } from '../../store/jobs/turn-fence.ts';

const MAX_SAID = 8_000;

/** Marks a reply as ours. Code hosts do not display it. */
export function replyMarker({ jobId, thread }: { jobId: string; thread: string }): string {
  return `<!-- docent:reply ${encodeURIComponent(`${jobId} ${thread}`)} -->`;
}

type ReportedTurn = Pick<TurnRow, 'state' | 'commit' | 'errorMessage'>;

/**
 * The text of the reply to a message.
 * @param turn null if no turn took the message
 * @param said the agent's closing words, without secrets
 */
export function replyText(
  at: { jobId: string; thread: string; place: HostPlace },
  turn: ReportedTurn | null,
  said: string,
): string {
  const { place } = at;
  const words = tamed(beginningOf(said.trim(), MAX_SAID));
  const about = place.path === undefined ? '' : ` for \`${tamed(place.path).replaceAll('`', "'")}\``;
  return [replyMarker(at), headline(turn, about), words].filter((part) => part !== '').join('\n\n');
}

/**
 * The text of the reply to a request for a review.
 * @param said without the findings that are comments on lines
 */
export function reviewText(
  at: { jobId: string; thread: string },
  { said, onLines }: { said: string; onLines: number },
): string {
  const parts = [
    replyMarker(at),
    'Docent reviewed the pull request.',
    tamed(beginningOf(said.trim(), MAX_SAID)),
    onLines === 0 ? '' : `${plural(onLines, 'comment')} on lines of the diff.`,
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function headline(turn: ReportedTurn | null, about: string): string {
  switch (turn?.state) {
    case 'published':
      return `Docent changed the docs${about} in ${turn.commit ?? 'a commit'}.`;
    case 'ready':
      return `Docent prepared a change${about}. Publish it in the job.`;
    case 'unchanged':
    case 'discarded':
      return `Docent changed nothing${about}.`;
    case 'failed':
      return `Docent could not complete the request${about}.`;
    default:
      return `Docent did not complete the request${about}, because the job was canceled or archived.`;
  }
}

/** Whether a diff changes the commented lines, by their numbers before the change. */
export function changesLines(diff: string, { path, line, startLine }: HostPlace): boolean {
  if (path === undefined || line === null || line === undefined) return false;
  const file = readDiff(diff).files.find((one) => one.path === path || one.oldPath === path);
  if (!file) return false;
  const isThere = (no: number) => no >= (startLine ?? line) && no <= line;
  return file.hunks.some(({ lines }) => {
    // An insertion counts after the line before it.
    let before = 0;
    return lines.some(({ kind, old }) => {
      if (old !== null) before = old;
      return kind === 'del' ? isThere(before) : kind === 'add' && isThere(before);
    });
  });
}
