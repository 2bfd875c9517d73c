import type { DiffFile } from '@docent/client';
import { plural } from '@docent/base/plural';
import { describeTurn, tamed } from '@docent/agent/commit-message';
import { elsewhereText, exampleOf, reports } from '@docent/docs-check/checks/causes';
import { hintOf, placeOf } from '@docent/docs-check/checks/problem';
import { isProblemCode } from '@docent/docs-check/checks/rules';
import { visibleName, withoutInvisible } from '@docent/docs-check/read/visible-text';
import { beginningOf } from '@docent/base/ellipsis';
import { ruleAddress } from '@docent/base/rule-address';
import { causeText } from '../../jobs/trigger-text.ts';
import { errorsIn, type Review } from '../../jobs/review.ts';
import type { CitationRow } from '../../store/jobs/citations.ts';
import type { RunRow } from '../../store/automations/automation-runs.ts';
import type { StoredNote, StoredProblem } from '../../store/jobs/changes-schema.ts';
import type { JobRow } from '../../store/jobs/jobs.ts';

const MAX_BODY = 20_000;
const MAX_PROMPT = 2_000;
const MAX_FILES = 50;
/** Runs that a description lists, the newest ones, and characters of a cause. */
const MAX_RUNS = 30;
const MAX_CAUSE = 200;
/** Notes for the reviewer that a description shows, of all turns together, and characters of one. */
const MAX_NOTES = 60;
const MAX_NOTE = 2_000;
/** Problems, of one cause each, that a description shows. */
const MAX_PROBLEMS = 60;
/** Citations that a description lists, and characters of a claim. */
const MAX_CITATIONS = 60;
const MAX_CLAIM = 300;

export interface CitedLines extends Pick<
  CitationRow,
  'page' | 'line' | 'claim' | 'source' | 'path' | 'commit' | 'fromLine' | 'toLine'
> {
  /** Where people read the lines; null for a repository on the server's disk. See `linesUrl`. */
  url: string | null;
}

export interface PullRequestFacts {
  changed?: readonly DiffFile[];
  /** See the setting of a project. */
  commitSubject?: string | undefined;
  /** Docent's URL for people, if known. Problems then link to their rules. */
  publicUrl?: string | undefined;
  /** Claims with their verified source lines, and the number of claims without. */
  citations?: readonly CitedLines[];
  claimsWithoutSource?: number;
  /** The runs of an automation that the job carried out, oldest first. */
  runs?: readonly Pick<RunRow, 'no' | 'cause' | 'createdAt' | 'events'>[];
}

/** The title that a person gave the change; null if none. */
export function titleOf({ options, publishOrder }: Pick<JobRow, 'options' | 'publishOrder'>): string | null {
  return publishOrder?.title ?? options.title ?? null;
}

/**
 * Title and Markdown body of a chain's pull request: notes for the reviewer and open problems, then each
 * turn's prompt and outcome, then all changed files and a link to the job. Prompts and the agent's text are
 * quoted, so that their Markdown cannot break out. The notes come first, so that the agent's text cannot
 * hide them.
 */
export function pullRequestText(
  job: JobRow,
  parts: readonly { prompts: string[]; closing: string }[],
  review: Review,
  { changed = [], publicUrl, runs = [], commitSubject, citations = [], claimsWithoutSource = 0 }: PullRequestFacts = {},
): { title: string; body: string } {
  const [first] = parts;
  const { title: said } = describeTurn({
    prompts: first?.prompts ?? [job.title],
    closingText: first?.closing ?? '',
    changes: [],
    template: commitSubject,
  });
  const named = titleOf(job);
  // The client's title: one line, without anything that a code host acts on.
  const title = named === null ? said : tamed(named);
  const sections = parts.flatMap(({ prompts, closing }, index) => [
    ...(parts.length > 1 ? [`### ${index === 0 ? 'First request' : `Follow-up ${index}`}`] : []),
    ...prompts.map((prompt) => quote(tamed(beginningOf(prompt, MAX_PROMPT)))),
    ...(closing ? [describeTurn({ prompts, closingText: closing, changes: [] }).body || tamed(closing)] : []),
  ]);
  const requestText = sections.join('\n\n');
  const cut = requestText.length <= MAX_BODY ? requestText : `${beginningOf(requestText, MAX_BODY)}\n\n…`;
  const errors = errorsIn(review);
  const isClean = review.isChecked && errors.length === 0;
  const body = [
    ...reviewList(review.notes),
    ...listed('Remaining docs problems:', errors, publicUrl),
    cut,
    ...causeOf(job),
    ...sourcesOf(citations, claimsWithoutSource),
    ...changesIn(changed),
    ...runsIn(runs),
    ...(isClean ? ['The docs checks found no problems in these changes.'] : []),
    `---\nDocent job \`${job.id}\` of the project \`${job.projectId}\`: \`docent job show --project ${job.projectId} ${job.id}\``,
  ].join('\n\n');
  return { title, body };
}

function reviewList(notes: readonly StoredNote[]): string[] {
  if (notes.length === 0) return [];
  const lines = notes.slice(0, MAX_NOTES).map(({ path, message }) => {
    const words = tamed(withoutInvisible(message)).replace(/\s+/g, ' ');
    return `- \`${shownPath(path)}\` ${beginningOf(words, MAX_NOTE)}.`;
  });
  const more = notes.length > MAX_NOTES ? [`- and ${notes.length - MAX_NOTES} more notes`] : [];
  return ['Please review:', [...lines, ...more].join('\n')];
}

const CHANGES: Record<DiffFile['status'], string> = {
  added: 'added',
  modified: 'changed',
  renamed: 'moved',
  deleted: 'deleted',
};

function changesIn(files: readonly DiffFile[]): string[] {
  if (files.length === 0) return [];
  const shown = files.slice(0, MAX_FILES).map(({ path, status }) => `- ${CHANGES[status]} \`${shownPath(path)}\``);
  const more = files.length > MAX_FILES ? [`- and ${files.length - MAX_FILES} more`] : [];
  return [`Changed files:\n\n${[...shown, ...more].join('\n')}`];
}

/** Where a person asked for the job. Only web addresses become links. */
function causeOf({ options }: Pick<JobRow, 'options'>): string[] {
  const url = options.cause && URL.canParse(options.cause.url) ? new URL(options.cause.url) : null;
  return url && /^https?:$/.test(url.protocol) ? [`Requested in <${url.href}>`] : [];
}

/** When and why the automation ran. Names from senders are hostile. */
function runsIn(runs: NonNullable<PullRequestFacts['runs']>): string[] {
  if (runs.length === 0) return [];
  const lines = runs.slice(-MAX_RUNS).map(({ no, cause, createdAt, events }) => {
    const why = tamed(visibleName(causeText(cause))).replace(/\s+/g, ' ');
    const more = events > 1 ? ` and ${events - 1} more` : '';
    return `- ${createdAt.toISOString().slice(0, 16).replace('T', ' ')} UTC, run ${no}: ${beginningOf(why, MAX_CAUSE)}${more}`;
  });
  return [`Runs of the automation:\n\n${lines.join('\n')}`];
}

/** Pages and claims come from the docs repository, paths from the source's repository. */
function sourcesOf(citations: readonly CitedLines[], without: number): string[] {
  if (citations.length === 0 && without === 0) return [];
  const lines = citations
    .slice(0, MAX_CITATIONS)
    .map(({ page, line, claim, source, path, commit, fromLine, toLine, url }) => {
      const words = tamed(visibleName(beginningOf(claim, MAX_CLAIM))).replace(/\s+/g, ' ');
      const at = `${source}:${path}#L${fromLine}${toLine > fromLine ? `-L${toLine}` : ''}`;
      const cited = url === null ? quotedPath(at) : `[${quotedPath(at)}](${url})`;
      return `- ${quotedPath(`${page}:${line}`)} ${words} ← ${cited} at ${commit.slice(0, 12)}`;
    });
  const more = citations.length > MAX_CITATIONS ? [`- and ${citations.length - MAX_CITATIONS} more`] : [];
  return [
    ...(lines.length > 0 ? [`Sources, verified by Docent:\n\n${[...lines, ...more].join('\n')}`] : []),
    ...(without > 0 ? [`${plural(without, 'claim')} without a source.`] : []),
  ];
}

function shownPath(path: unknown): string {
  return tamed(visibleName(String(path))).replaceAll('`', "'");
}

function quotedPath(path: string): string {
  return `\`${shownPath(path)}\``;
}

function listed(heading: string, problems: readonly StoredProblem[], publicUrl?: string): string[] {
  if (problems.length === 0) return [];
  const groups = reports(problems);
  const lines = groups.slice(0, MAX_PROBLEMS).map((group) => `- ${problemLine(group, publicUrl)}`);
  const more = groups.length > MAX_PROBLEMS ? [`- and ${groups.length - MAX_PROBLEMS} more`] : [];
  return [heading, [...lines, ...more].join('\n')];
}

/** All of it, including names and links but not the code, comes from the repository's files. */
function problemLine(group: readonly StoredProblem[], publicUrl: string | undefined): string {
  const first = exampleOf(group);
  const words = tamed(visibleName(first.message + hintOf(first))).replace(/\s+/g, ' ');
  const isRule = publicUrl !== undefined && isProblemCode(first.code);
  const rule = isRule ? ` [${first.code}](${ruleAddress(`${publicUrl}/docs`, first.code)})` : '';
  return `${quotedPath(placeOf(first))}: ${words}${elsewhereText(group.slice(1), quotedPath)}${rule}`;
}

function quote(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => `> ${line}`)
    .join('\n');
}
