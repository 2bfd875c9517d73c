import { deliveryIdOf, type Discussed, type HostAccount, type HostEvent } from '@docent/code-hosts/events/host-event';
import type { HostTalk, TalkSubject } from '@docent/code-hosts/talk';
import {
  isMentioned,
  isReviewAsked,
  messageFor,
  hostTextIn,
  withoutAddress,
  type HostText,
} from '../../jobs/host-text.ts';
import { knownHostMessages } from '../../store/hosts/host-messages.ts';
import type { JobOptions } from '../../store/job-options.ts';
import { listSourcesAt } from '../../store/hosts/host-repositories.ts';
import { effectiveSettings } from '../../store/projects/project-settings.ts';
import { identityOf, listProjectsAt, type ProjectRow } from '../../store/projects/projects.ts';
import { listPullRequestsAt } from '../../store/pull-requests/pull-requests.ts';
import { startHostJob } from './accept-message.ts';
import { earlierComments, mentionNameOf, refuse, threadOf, trustIn, withLines } from './conversation.ts';
import type { HostEventConsumer, HostEventDeps } from './host-event-consumer.ts';
import { visibleText } from './visible-text.ts';
import { senderAccess } from './sender-access.ts';

/**
 * Starts a job when a person mentions Docent in an issue, or in a pull request that is not Docent's, or gives
 * such a pull request the label that requests a review. This also works in a source of a project: its pull
 * request in the project's repository links back. Later comments there become messages to that job while it
 * accepts any. Each comment counts once: its row in `host_messages` is written with the job or the message.
 * If several projects with the repository match the name, the oldest gets it.
 */
export const startJobs: HostEventConsumer = async (received, deps) => {
  const { hostId, event } = received;
  const { db, hosts, log } = deps;
  const written = hostTextIn(event);
  const on = written?.place.on ?? (event.kind === 'label' && event.action === 'added' ? event.on : null);
  if (on === null) return;
  const at = { host: hostId, repositoryId: event.repository.id };
  const text = written ? visibleText(written.body) : REVIEW_IT;
  const isCalled = (name: string) => (written ? isMentioned(text, name) : isReviewLabel(event, name));
  const called = await calledThere(at, isCalled, deps);
  // A review is one of docs.
  if (!called || (called.source !== null && !written)) return;
  const { project, source } = called;
  // Those are messages to their jobs: see take-messages.ts.
  const isOfDocent =
    on.type === 'pull_request' && (await listPullRequestsAt(db, { ...at, number: on.number })).length > 0;
  if (isOfDocent || (written && (await isKnown(`${hostId}:${deliveryIdOf(event)}`, deps)))) return;
  const host = await hosts.get(hostId);
  const repository =
    source === null
      ? await host.open({ ...identityOf(project), projectId: project.id })
      : await host.open({ repository: source, repositoryId: event.repository.id, projectId: null });
  const { talk } = repository;
  if (!talk) return;
  const labeled = event.kind === 'label' ? await talk.labeled(on.number, event.label) : null;
  const said = written ?? (labeled && textOfLabel(on, labeled));
  if (!said) return;
  // Webhooks and polling give different times to a label: the host's own id of it counts.
  const key = labeled ? `label:${event.repository.id}:${labeled.id}` : deliveryIdOf(event);
  const id = `${hostId}:${key}`;
  if (labeled && (await isKnown(id, deps))) return;
  const access = await senderAccess(talk, said.author, project, log);
  if (access === 'own') return;
  const inSource = source === null ? {} : { source };
  const where = { ...said.place, hostId, repositoryId: event.repository.id, ...inSource };
  const row = { id, projectId: project.id, pullRequestId: null, place: where, thread: threadOf(where) };
  if (access === 'refused') return refuse(received, said, { ...row, jobId: null }, deps);
  const placed = await withLines(talk, said);
  const subject = await talk.subject(on);
  if (!subject) return;
  const isReview =
    source === null && on.type === 'pull_request' && (labeled !== null || isReviewAsked(text, mentionNameOf(project)));
  const { headCommit } = subject;
  const there = { ...where, ...placed.place };
  const place = isReview && headCommit !== null ? { ...there, commit: headCommit } : there;
  const diff = on.type === 'pull_request' ? await talk.diff(on.number) : null;
  const isTrusted = trustIn(talk, project, log);
  const prompt = await promptOf(placed, withoutAddress(text, mentionNameOf(project)), {
    talk,
    subject,
    diff,
    isReview,
    isTrusted,
  });
  const options = optionsFor(on, source === null ? subject : { ...subject, ownBranch: null }, {
    bases: [project.ref, await repository.defaultBranch()],
    isDraft: effectiveSettings(project.settings).draft,
    isReview,
  });
  const creator = { kind: 'account', id: `${hostId}/${said.author.id}`, name: said.author.login } as const;
  const conversation = { projectId: project.id, hostId, repositoryId: event.repository.id, on, isAsk: isReview };
  await startHostJob(
    {
      project,
      projectId: project.id,
      prompt,
      options,
      creator,
      conversation,
      rows: [{ ...row, place, thread: threadOf(place) }],
    },
    deps,
  );
};

const REVIEW_IT = 'Review this pull request.';

/** The label that requests a review: `docent review`. */
function isReviewLabel(event: HostEvent, name: string): boolean {
  return (
    event.kind === 'label' &&
    event.on.type === 'pull_request' &&
    event.label.toLowerCase() === `${name} review`.toLowerCase()
  );
}

function textOfLabel(on: Discussed, { id, by }: { id: string; by: HostAccount }): HostText {
  const place = { on, kind: 'label', id, threadId: null } as const;
  return { author: by, body: REVIEW_IT, place, diffHunk: null, isChangeRequest: false, reviewId: null };
}

/** The oldest mentioned project: one of this repository, else one that has it as a source. */
async function calledThere(
  at: { host: string; repositoryId: string },
  isCalled: (name: string) => boolean,
  { db }: HostEventDeps,
): Promise<{ project: ProjectRow; source: string | null } | null> {
  const own = (await listProjectsAt(db, at)).find((one) => isCalled(mentionNameOf(one)));
  if (own) return { project: own, source: null };
  const reader = (await listSourcesAt(db, at)).find(({ project }) => isCalled(mentionNameOf(project)));
  return reader ? { project: reader.project, source: reader.source.repository } : null;
}

async function isKnown(id: string, { db }: HostEventDeps): Promise<boolean> {
  return (await knownHostMessages(db, [id])).has(id);
}

/**
 * Works on the branch of an open pull request if its author may push there; else opens a new pull request.
 * Forks are only read: a change for an open one stays a draft until that is merged. Projects that always open
 * drafts keep them as drafts. A review changes nothing.
 */
function optionsFor(
  on: Discussed,
  { ownBranch, isOpen, url }: TalkSubject,
  { bases, isDraft, isReview }: { bases: readonly (string | null)[]; isDraft: boolean; isReview: boolean },
): JobOptions {
  // A review reads the pages on the branch; for a fork, the agent sees the diff.
  if (isReview) {
    return {
      cause: { url, isOwnBranch: false, reviews: on.number },
      mode: 'ask',
      ...(isOpen && ownBranch !== null ? { ref: ownBranch } : {}),
    };
  }
  const isOfOpen = on.type === 'pull_request' && isOpen;
  if (isOfOpen && ownBranch !== null && !bases.includes(ownBranch)) {
    return { cause: { url, isOwnBranch: true }, mode: 'push', ref: ownBranch };
  }
  if (!isOfOpen || isDraft) return { cause: { url, isOwnBranch: false } };
  return { cause: { url, isOwnBranch: false, isDraftUntilMerge: true }, draft: true };
}

async function promptOf(
  said: HostText,
  text: string,
  {
    talk,
    subject,
    diff,
    isReview,
    isTrusted,
  }: {
    talk: HostTalk;
    subject: TalkSubject;
    diff: string | null;
    isReview: boolean;
    isTrusted: ReturnType<typeof trustIn>;
  },
): Promise<string> {
  const isShown = await isTrusted(subject.author);
  const about = {
    url: subject.url,
    diff,
    title: isShown ? visibleText(subject.title) : '',
    // A description that is the message is not shown twice.
    text: isShown && said.place.kind !== 'description' ? visibleText(subject.body) : '',
  };
  return messageFor(said, text, { about, isReview, earlier: await earlierComments(talk, said.place, isTrusted) });
}
