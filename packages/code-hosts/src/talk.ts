import type { PullRequestCheck } from './checks.ts';
import type { Discussed, HostAccount } from './events/host-event.ts';

/** The location of a comment, and of its reply. */
export interface CommentPlace {
  on: Discussed;
  kind: 'comment' | 'review' | 'review_comment' | 'label' | 'description';
  /** Of the comment, the review, or the addition of a label; of a description, the number. */
  id: string;
  /**
   * The host's id of an inline comment's thread: its first comment (GitHub), its discussion (GitLab). Null
   * for the conversation, and on hosts without threads.
   */
  threadId: string | null;
}

/** A comment as the host shows it now. */
export interface TalkComment {
  id: string;
  author: HostAccount;
  body: string;
}

/** A comment on lines that belongs to a review. */
export interface ReviewedLine extends TalkComment {
  path: string;
  line: number | null;
  diffHunk: string | null;
  threadId: string | null;
}

/** A check of a commit, with the summary of its result. */
export interface CommitCheck extends PullRequestCheck {
  /** The check's own text; may be empty. */
  summary: string;
  /** Names its log, for {@link HostTalk.checkLog}; null if the host has none. */
  logId: string | null;
}

/** An issue or a pull request, as the host shows it now. */
export interface TalkSubject {
  title: string;
  body: string;
  author: HostAccount;
  url: string;
  isOpen: boolean;
  /** The branch of a pull request from this very repository; null of forks and of issues. */
  ownBranch: string | null;
  /** The newest commit of a pull request; null for issues, and if the host does not report it. */
  headCommit: string | null;
}

/** A line that a unified diff shows. */
export interface DiffPlace {
  path: string;
  /** Before a rename; else the same. */
  oldPath: string;
  /** In the new file. */
  line: number;
  /** In the old file; null of an added line. */
  oldLine: number | null;
}

/**
 * Conversations in a repository on a network host. All methods throw HostProblem. Writes may run twice: a
 * second reaction or resolution changes nothing. Before {@link HostTalk.reply}, search for the reply with
 * {@link HostTalk.comments}.
 */
export interface HostTalk {
  /** Whether only its members can read it, and so write in it. */
  readonly isPrivate: boolean;
  /** The id of the account that Docent writes as. */
  ownAccount(): Promise<string>;
  /**
   * Whether the account may push to the repository now (GitLab: the role "Developer" or higher). False if the
   * name belongs to another account by now.
   */
  mayWrite(account: HostAccount): Promise<boolean>;
  /** The issue or pull request; null if it is gone. */
  subject(on: Discussed): Promise<TalkSubject | null>;
  /** A pull request's changes as a unified diff; null if it is gone, or larger than the host shows. */
  diff(number: number): Promise<string | null>;
  /** The commits of a pull request, oldest first; null if it is gone. All at GitHub, else the newest 50. */
  commits(number: number): Promise<{ id: string; message: string; authorName: string }[] | null>;
  /** Makes a pull request of our own ready for review, if it is a draft. Safe to repeat. */
  markReady(number: number): Promise<void>;
  /** 👀. Does nothing if the host has no reactions: on reviews. */
  react(place: CommentPlace): Promise<void>;
  /** The thread, or the conversation if there is none, oldest first; at most 1,000 comments. */
  comments(place: CommentPlace): Promise<TalkComment[]>;
  /** Answers in the thread, or in the conversation if there is none. @returns the id of the new comment */
  reply(place: CommentPlace, body: string): Promise<string>;
  /** Replaces a comment of our own. @returns false if it was deleted */
  edit(place: CommentPlace, id: string, body: string): Promise<boolean>;
  /** Resolves the thread, if the host and the credential can. @returns whether it is resolved */
  resolve(place: CommentPlace): Promise<boolean>;
  /** A review's current text and line comments; null if it does not exist. GitLab has none. */
  review(number: number, id: string): Promise<{ isChangeRequest: boolean; lines: ReviewedLine[] } | null>;
  /**
   * The host's id of the newest addition of a label, and who added it. Null if the pull request does not have
   * the label now.
   */
  labeled(number: number, label: string): Promise<{ id: string; by: HostAccount } | null>;
  /**
   * The lines of a comment that its event does not show: a reply in a thread at Gitea. Null for comments in
   * the conversation, and where events show them.
   */
  lineOf(number: number, id: string): Promise<ReviewedLine | null>;
  /** Comments on lines of a pull request: at most 1,000. `line` is null if the line is gone. */
  lineComments(number: number): Promise<(TalkComment & { path: string; line: number | null })[]>;
  /**
   * Comments on lines of a pull request's diff at its newest commit. Not safe to repeat: look for them with
   * {@link HostTalk.lineComments}.
   */
  commentOnLines(number: number, commit: string, comments: readonly (DiffPlace & { body: string })[]): Promise<void>;
  /** Checks of a commit, or of the head of a branch: at most 100. Null if the credential may not see them. */
  checks(ref: string): Promise<CommitCheck[] | null>;
  /** The whole log of a check; null if it is gone, or the credential may not read it. */
  checkLog(logId: string): Promise<string | null>;
}
