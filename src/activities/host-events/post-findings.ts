import { messageOf } from '@docent/base/thrown';
import { tamed } from '@docent/agent/commit-message';
import { HostProblem } from '@docent/code-hosts/host-problem';
import type { HostTalk } from '@docent/code-hosts/talk';
import { findingsIn, findingText, placedFindings, type Finding } from '../../jobs/review-findings.ts';
import { listCheckRounds } from '../../store/jobs/check-rounds.ts';
import type { CommentRow } from '../../store/hosts/host-messages.ts';
import type { TurnRow } from '../../store/jobs/turn-fence.ts';
import type { HostEventDeps } from './host-event-consumer.ts';

/** Marks a comment on a line as a finding. Code hosts do not display it. */
const MARKER = '<!-- docent:finding -->';
const MAX_COMMENTS = 50;

/**
 * Makes the findings of a review comments on their lines, if the diff shows these and the pull request has no
 * newer commit. A line gets one such comment, so this can be repeated.
 * @param review.said the agent's closing words, without secrets
 * @returns the number of findings on lines, and the text for the reply, which has the others
 */
export async function postFindings(
  { db, log }: Pick<HostEventDeps, 'db' | 'log'>,
  talk: HostTalk,
  { row, turn, said }: { row: CommentRow; turn: TurnRow; said: string },
): Promise<{ said: string; onLines: number }> {
  const { findings, rest } = findingsIn(said);
  const all = [...findings, ...(await problemsOf(db, turn))];
  const withFindings = (some: readonly Finding[]) => [rest, some.map(findingText).join('\n')].join('\n\n').trim();
  const { number } = row.place.on;
  const commit = row.place.commit ?? '';
  const subject = all.length === 0 ? null : await talk.subject(row.place.on);
  if (!subject?.isOpen || subject.headCommit !== commit) return { said: withFindings(all), onLines: 0 };
  const { placed, others } = placedFindings(all, (await talk.diff(number)) ?? '');
  const onLines = placed.slice(0, MAX_COMMENTS);
  const own = await talk.ownAccount();
  // Docent's replies in threads are comments on lines, too, and no findings.
  const known = (await talk.lineComments(number)).filter(
    ({ author, body }) => author.id === own && body.startsWith(MARKER),
  );
  const isNew = ({ path, line, body }: Finding) =>
    !known.some((one) => one.path === path && (one.line === line || one.body === bodyOf(body)));
  const fresh = onLines.filter(isNew).map((one) => ({ ...one, body: bodyOf(one.body) }));
  try {
    if (fresh.length > 0) await talk.commentOnLines(number, commit, fresh);
  } catch (err) {
    if (!(err instanceof HostProblem) || err.mayPass) throw err;
    log.info({ err: messageOf(err), jobId: row.jobId }, 'a code host refused comments on lines: the reply lists them');
    return { said: withFindings(all), onLines: 0 };
  }
  return { said: withFindings([...others, ...placed.slice(MAX_COMMENTS)]), onLines: onLines.length };
}

function bodyOf(text: string): string {
  return `${MARKER}\n${tamed(text)}`;
}

/** What the docs checks found on added lines: see check-reviewed.ts. */
async function problemsOf(db: HostEventDeps['db'], { jobId, no }: TurnRow): Promise<Finding[]> {
  const rounds = await listCheckRounds(db, jobId, { limit: 50, after: { turnNo: no, stepNo: -1 } });
  const { problems = [] } = rounds.findLast(({ turnNo }) => turnNo === no) ?? {};
  return problems.map(({ path, line, message, code }) => ({ path, line, body: `${message} (${code})` }));
}
