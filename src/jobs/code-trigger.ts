import { compileGlob } from '@docent/base/glob';
import { AppError } from '../platform/errors.ts';
import type { HostEvent } from '@docent/code-hosts/events/host-event';
import type { Trigger } from '../store/automations/automation-schema.ts';
import type { CodeEventName } from '../config/automation-values.ts';

export type CodeTrigger = Extract<Trigger, { type: 'code' }>;

/** The name of the project's own repository among those that an automation watches. */
const OWN_REPOSITORY = '.';
/** Characters of an address that is kept. */
const MAX_URL = 2_000;

/** A repository that an automation watches. */
interface Watched {
  /** Name of a source, or {@link OWN_REPOSITORY}. */
  name: string;
  /** The branch that is watched if the trigger names none. */
  ref: string;
}

/** An event in a watched repository. The title and the URL are hostile. */
export interface CodeEvent {
  name: CodeEventName;
  /** The pushed branch, or the base branch of a pull request; null if the host does not report it. */
  branch: string | null;
  isDraft: boolean;
  /** The commit before a push; null if the host does not report it. */
  before: string | null;
  number: number | null;
  title: string | null;
  url: string | null;
  /** Of a stale citation. */
  citation?: StaleClaim;
}

/** A statement of a page, and the lines that it cites, which have changed. Both are hostile. */
export interface StaleClaim {
  page: string;
  line: number;
  claim: string;
  path: string;
  fromLine: number;
  toLine: number;
  /** Whether the file, or everything near the lines, was deleted. */
  isGone: boolean;
}

/** @param branch of the source */
export function staleCitationOn(branch: string, citation: StaleClaim): CodeEvent {
  const nothing = { before: null, number: null, title: null, url: null };
  return { name: 'stale_citation', branch, isDraft: false, ...nothing, citation };
}

/** The pull request's URL of an inbox event; null without one that browsers can open safely. */
export function pageOfCodeEvent(body: Buffer): string | null {
  const { url } = JSON.parse(body.toString('utf8')) as Pick<CodeEvent, 'url'>;
  const parsed = url === null ? null : URL.parse(url);
  const isSafe = parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.href.length <= MAX_URL;
  return isSafe ? parsed.href : null;
}

/** Null for events that start no automation. */
export function codeEventOf(event: HostEvent): CodeEvent | null {
  if (event.kind === 'pull_request') {
    const { number, title, isDraft, url, base } = event.pullRequest;
    const name = { opened: 'opened', ready: 'opened', merged: 'merged' }[event.action as string];
    if (name === undefined) return null;
    return { name: name as CodeEventName, branch: base.branch, isDraft, before: null, number, title, url };
  }
  if (event.kind === 'review' && event.review.state === 'approved') {
    const { number } = event.on;
    return { name: 'approved', branch: null, isDraft: false, before: null, number, title: null, url: null };
  }
  if (event.kind === 'push' && event.after !== null) {
    const { branch, before } = event;
    return { name: 'pushed', branch, isDraft: false, before, number: null, title: null, url: null };
  }
  return null;
}

/** Whether an automation watches this repository. Without names, it watches all sources of its project. */
export function watches({ repositories }: CodeTrigger, name: string): boolean {
  return repositories && repositories.length > 0 ? repositories.includes(name) : name !== OWN_REPOSITORY;
}

export function wantsBranch({ branches }: CodeTrigger, { ref }: Watched, branch: string): boolean {
  if (!branches || branches.length === 0) return branch === ref;
  // A glob without a slash only matches names without one: `main` does not match `old/main`.
  return branches.some((glob) => (glob.includes('/') || !branch.includes('/')) && compileGlob(glob)(branch));
}

/**
 * Whether an event starts an automation. Only cited files are compared with its paths: changed files are
 * compared later, see {@link wantedFiles}.
 */
export function wantsEvent(trigger: CodeTrigger, watched: Watched, event: CodeEvent): boolean {
  if (!watches(trigger, watched.name) || !trigger.events.includes(event.name)) return false;
  if (event.citation && !pathFilter(trigger)(event.citation.path)) return false;
  if (event.isDraft && trigger.ignoreDrafts !== false) return false;
  return event.branch === null || wantsBranch(trigger, watched, event.branch);
}

/**
 * The changed files in the automation's `paths`. The project's own docs do not count, to prevent loops.
 * @param docsDir empty if everything is docs
 */
export function wantedFiles(
  trigger: CodeTrigger,
  { name, docsDir }: { name: string; docsDir: string },
  files: readonly string[],
): string[] {
  const isWanted = pathFilter(trigger);
  const isDocs = (file: string) => name === OWN_REPOSITORY && docsDir !== '' && file.startsWith(`${docsDir}/`);
  return files.filter((file) => !isDocs(file) && isWanted(file));
}

/** Whether a file is in the automation's paths. */
function pathFilter({ paths = [] }: CodeTrigger): (file: string) => boolean {
  const globs = paths.map(compileGlob);
  return (file) => globs.length === 0 || globs.some((matches) => matches(file));
}

/** @throws AppError `bad_request` for an invalid glob, or a trigger that would start itself */
export function assertCodeTrigger(
  { paths = [], branches = [], repositories = [] }: CodeTrigger,
  docsDir: string,
): void {
  for (const [field, globs] of Object.entries({ paths, branches })) {
    for (const glob of globs) {
      try {
        compileGlob(glob);
      } catch (err) {
        const param = `trigger.${field}`;
        throw new AppError('bad_request', `\`${param}\`: ${(err as Error).message}`, { cause: err, param });
      }
    }
  }
  if (repositories.includes(OWN_REPOSITORY) && docsDir === '' && paths.length === 0) {
    throw new AppError(
      'bad_request',
      '`trigger.paths`: all of this repository is docs, so each run would start the next one. Name the paths of the code.',
      { param: 'trigger.paths' },
    );
  }
}
