import type { HostAccount } from '@docent/code-hosts/events/host-event';
import { deliveryIdOf } from '@docent/code-hosts/events/host-event';
import type { HostTalk } from '@docent/code-hosts/talk';
import type { HostText } from '../../jobs/host-text.ts';
import type { Logger } from '../../platform/log.ts';
import { insertIntent } from '../../store/access/audit-log.ts';
import { insertHostMessage, type NewHostMessage } from '../../store/hosts/host-messages.ts';
import { effectiveSettings } from '../../store/projects/project-settings.ts';
import type { ProjectRow } from '../../store/projects/projects.ts';
import type { HostEventDeps, ReceivedHostEvent } from './host-event-consumer.ts';
import { visibleText } from './visible-text.ts';
import { senderAccess } from './sender-access.ts';

/** Comments of a thread that the agent is shown. */
const MAX_EARLIER = 10;

/** The name by which people mention Docent in this project, without the `@`. */
export function mentionNameOf({ settings }: Pick<ProjectRow, 'settings'>): string {
  return effectiveSettings(settings).mentionName;
}

/** Names the reply: one for the conversation of an issue or a pull request, one for each thread. */
export function threadOf({ on, kind, threadId }: HostText['place']): string {
  const name = on.type === 'issue' ? `issue ${on.number}` : String(on.number);
  return kind === 'review_comment' ? `${name}/${threadId}` : name;
}

/** With its lines and its thread, for hosts whose events leave them out. */
export async function withLines(talk: HostTalk, said: HostText): Promise<HostText> {
  const { kind, on, id } = said.place;
  if (kind !== 'comment' || on.type !== 'pull_request') return said;
  const found = await talk.lineOf(on.number, id);
  if (!found) return said;
  const { path, line, threadId, diffHunk } = found;
  return { ...said, diffHunk, place: { on, id, kind: 'review_comment', threadId, path, line, startLine: null } };
}

/**
 * Whether the agent may read what an account wrote: in a public repository, anyone can write. Asks the host
 * once per account.
 */
export function trustIn(talk: HostTalk, project: ProjectRow, log: Logger): (author: HostAccount) => Promise<boolean> {
  const known = new Map<string, boolean>();
  return async (author) => {
    if (talk.isPrivate) return true;
    const trusted = known.get(author.id) ?? (await senderAccess(talk, author, project, log)) !== 'refused';
    known.set(author.id, trusted);
    return trusted;
  };
}

/**
 * Earlier comments in the thread or conversation; in a public repository, only those of people with write
 * access.
 */
export async function earlierComments(
  talk: HostTalk,
  place: HostText['place'],
  isTrusted: (author: HostAccount) => Promise<boolean>,
): Promise<{ login: string; text: string }[]> {
  const all = await talk.comments(place);
  const at = all.findIndex(({ id }) => id === place.id);
  const before = all.slice(0, at === -1 ? all.length : at).slice(-MAX_EARLIER);
  const shown: { login: string; text: string }[] = [];
  for (const { author, body } of before) {
    if (await isTrusted(author)) shown.push({ login: author.login, text: visibleText(body) });
  }
  return shown;
}

/**
 * Writes one line to the audit log and posts no reply, so accounts without write access learn nothing. Safe
 * to repeat.
 */
export async function refuse(
  { hostId, event }: ReceivedHostEvent,
  { author }: HostText,
  row: Omit<NewHostMessage, 'messageNo'>,
  { db }: Pick<HostEventDeps, 'db'>,
): Promise<void> {
  const { jobId, pullRequestId } = row;
  await db.transaction(async (tx) => {
    if (!(await insertHostMessage(tx, { ...row, messageNo: null }))) return;
    const place = { ...(jobId === null ? {} : { jobId }), ...(pullRequestId === null ? {} : { pullRequestId }) };
    await insertIntent(
      tx,
      {
        actorKind: 'anonymous',
        actorId: null,
        actorName: author.login,
        actorKeyId: null,
        operation: 'hostMessage',
        projectId: row.projectId,
        target: { hostId, account: author.id, ...place },
        changed: [],
        address: null,
        userAgent: null,
        requestId: deliveryIdOf(event),
      },
      { outcome: { status: 403, errorCode: 'forbidden', replayed: false, createdId: null }, isWithin: true },
    );
  });
}
