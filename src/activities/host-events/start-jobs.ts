import { deliveryIdOf, type Discussed } from '../../code-hosts/events/host-event.ts';
import type { HostTalk, TalkSubject } from '../../code-hosts/talk.ts';
import { PROJECT_SETTINGS } from '../../config/project-settings.ts';
import { isMentioned, isReviewAsked, messageFor, saidIn, type Said } from '../../jobs/said-on-host.ts';
import { knownHostMessages } from '../../store/hosts/host-messages.ts';
import type { JobOptions } from '../../store/job-options.ts';
import { identityOf, listProjectsAt } from '../../store/projects/projects.ts';
import { listPullRequestsAt } from '../../store/pull-requests/pull-requests.ts';
import { startHostJob } from './accept-message.ts';
import { earlierComments, mentionNameOf, refuse, threadOf, trustIn } from './conversation.ts';
import type { HostEventConsumer } from './host-event-consumer.ts';
import { visibleWords } from './visible-words.ts';
import { standingOf } from './who-may.ts';

/**
 * Starts a job when a person mentions Docent in an issue, or in a pull request that is not Docent's. Later
 * comments there become messages to that job while it accepts any. Each comment counts once: its row in
 * `host_messages` is written with the job or the message. If several projects with the repository match the
 * name, the oldest gets it.
 */
export const startJobs: HostEventConsumer = async (received, deps) => {
  const { hostId, event } = received;
  const { db, hosts, log } = deps;
  const said = saidIn(event);
  if (!said) return;
  const { on } = said.place;
  const at = { host: hostId, repositoryId: event.repository.id };
  const text = visibleWords(said.body);
  const project = (await listProjectsAt(db, at)).find((one) => isMentioned(text, mentionNameOf(one)));
  if (!project) return;
  // Those are messages to their jobs: see take-messages.ts.
  const isOfDocent =
    on.type === 'pull_request' && (await listPullRequestsAt(db, { ...at, number: on.number })).length > 0;
  const id = `${hostId}:${deliveryIdOf(event)}`;
  if (isOfDocent || (await knownHostMessages(db, [id])).has(id)) return;
  const host = await hosts.get(hostId);
  const repository = await host.open({ ...identityOf(project), projectId: project.id });
  const { talk } = repository;
  if (!talk) return;
  const standing = await standingOf(talk, said.author, project, log);
  if (standing === 'own') return;
  const place = { ...said.place, repositoryId: event.repository.id };
  const row = { id, projectId: project.id, pullRequestId: null, place, thread: threadOf(place) };
  if (standing === 'refused') return refuse(received, said, { ...row, jobId: null }, deps);
  const subject = await talk.subject(on);
  if (!subject) return;
  const isReview = on.type === 'pull_request' && isReviewAsked(text, mentionNameOf(project));
  const diff = on.type === 'pull_request' ? await talk.diff(on.number) : null;
  const prompt = await promptOf(said, text, { talk, subject, diff, isTrusted: trustIn(talk, project, log) });
  const options = optionsFor(on, subject, {
    bases: [project.ref, await repository.defaultBranch()],
    isDraft: project.settings.draft ?? PROJECT_SETTINGS.draft.fallback,
    isReview,
  });
  const creator = { kind: 'account', id: `${hostId}/${said.author.id}`, name: said.author.login } as const;
  const conversation = { projectId: project.id, repositoryId: event.repository.id, on, isAsk: isReview };
  await startHostJob({ project, projectId: project.id, prompt, options, creator, conversation, rows: [row] }, deps);
};

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
      cause: { url, isOwnBranch: false },
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
  said: Said,
  text: string,
  {
    talk,
    subject,
    diff,
    isTrusted,
  }: { talk: HostTalk; subject: TalkSubject; diff: string | null; isTrusted: ReturnType<typeof trustIn> },
): Promise<string> {
  const isShown = await isTrusted(subject.author);
  const about = {
    url: subject.url,
    diff,
    title: isShown ? visibleWords(subject.title) : '',
    text: isShown ? visibleWords(subject.body) : '',
  };
  return messageFor(said, text, { about, earlier: await earlierComments(talk, said.place, isTrusted) });
}
