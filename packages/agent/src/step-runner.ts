import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { readDiff } from '@docent/client';
import type { WritePolicy } from '@docent/git/contract';
import type { OverlayEntry } from '@docent/base/files/base-tree';
import { changedPages } from '@docent/git/commit/changed-pages';
import type { ChangedPage } from '@docent/git/contract';
import { changedPaths, diffTrees } from '@docent/git/commit/diff-trees';
import { overlaidTree } from '@docent/git/commit/overlaid-tree';
import { openSnapshot, type Snapshot } from '@docent/git/snapshot/snapshot';
import { Workspace } from '@docent/git/workspace';
import type { Problem } from '@docent/docs-check/checks/problem';
import { reviewNotes, type ReviewNote } from '@docent/docs-check/checks/review-notes';
import { withSuggestions } from '@docent/docs-check/checks/suggestions';
import { problemsLeft } from '@docent/docs-check/checks/problems-left';
import { jobProblems } from '@docent/docs-check/checks/known/job-problems';
import { describeSite, doubtText, type SiteDescription } from '@docent/docs-check/read/describe-site';
import { DocsSite } from '@docent/docs-check/read/docs-site';
import type { FactsCache } from '@docent/docs-check/read/facts-cache';
import { detectSite, isBelow, spelledPlace, type SitePlace } from '@docent/docs-check/read/site';
import {
  readInstructions as read,
  type InstructionFile,
  type Instructions,
  type NamedInstructions,
} from './instructions.ts';
import { docsFolderProblem } from './docs-folder.ts';
import { checkedFiles } from './checked-files.ts';
import { type PageAddresses, pageAddresses } from './page-addresses.ts';
import { openSource, type SourceAt } from './sources/source.ts';
import type { AttachedFile } from './tools/attached-file.ts';
import type { WebPage } from './tools/tool-session.ts';
import { runToolCalls } from './tools/tool-set.ts';
import type { LastChange } from './tools/last-change.ts';
import type { ToolCall, ToolResult } from '@docent/models/conversation/tool-call';

/** A workspace as plain data: it crosses into a child process. */
export interface WorkspaceAt {
  /** File of the base commit's snapshot. */
  snapshotPath: string;
  overlay: OverlayEntry[];
  policy: WritePolicy;
  /** The project's site settings: see SitePlace. */
  site?: string | null | undefined;
}

export interface StepInput extends WorkspaceAt {
  calls: ToolCall[];
  /** The job's last published change, for calls of `undo`. */
  lastChange?: LastChange | null;
  /** Calls that would change something are refused. */
  readOnly?: boolean;
  /** Ids of apparent secrets that may be shown anyway. */
  allowedSecrets?: readonly string[];
  /** Attachments of the job's messages, for calls of `place` and for files that earlier calls placed. */
  attachments?: AttachedFile[];
  /** The turn's sources, with files if a call needs them. */
  sources?: SourceAt[];
  /** The web pages that the calls ask for. */
  webPages?: WebPage[];
}

export interface ChecksAt extends WorkspaceAt {
  /** Instruction files named in the project's settings: changing one affects later jobs. */
  instructionFiles?: readonly string[];
  /** As in {@link StepInput}. */
  allowedSecrets?: readonly string[];
  /** Problems of earlier turns, which are in the base by now. */
  earlier?: readonly Problem[];
  /** Lines of files: all problems on them are returned, old ones too. */
  lines?: readonly [path: string, lines: readonly number[]][];
}

export interface StepResult {
  results: ToolResult[];
  /** The whole overlay after the calls. */
  overlay: OverlayEntry[];
  /** The overlay's state, if the calls changed it. */
  state: string | null;
  /** The complete change, if the calls changed it. */
  diff: ChangeDiff | null;
}

/** A workspace's change, as `git apply` takes it. */
export interface ChangeDiff {
  diff: string;
  /** Whether parts are cut for its length, or withheld because of an apparent secret. */
  isCut: boolean;
  files: number;
  /** Lines. */
  additions: number;
  deletions: number;
  /** The pages in it, whole; limited in number and length. */
  pages: ChangedPage[];
}

export interface CheckResult {
  /** Problems that the base does not have. */
  introduced: Problem[];
  /** Those of {@link ChecksAt.earlier} that remain, at their current positions. */
  remaining: Problem[];
  /** Those on {@link ChecksAt.lines}. */
  onLines: Problem[];
  /** How many others there are. */
  earlierProblems: number;
  diff: ChangeDiff;
  /** Points for a person to review. */
  /** The changed pages, with where readers find them. */
  addresses: PageAddresses[];
  notes: ReviewNote[];
  site: SiteDescription;
  checkedPages: number;
}

/** The docs in a commit, and the instruction files named in the project's settings. */
export interface InstructionsAt extends SitePlace, NamedInstructions {
  snapshotPath: string;
}

export interface InstructionsResult {
  instructions: Instructions;
  site: SiteDescription;
}

export interface SiteResult extends SiteDescription {
  instructions: InstructionFile[];
  /** In the docs folder. */
  pages: number;
  /** A sentence if there is nothing at the place that SitePlace names. */
  notThere: string | null;
  /** A sentence where something is wrong with the docs folder. */
  docsFolder: string | null;
}

/** Carries out an answer's tool calls, in order. The same input gives the same result. */
export function runStep(
  { calls, lastChange, readOnly, allowedSecrets: _allowed, attachments, sources, webPages, ...at }: StepInput,
  cache: FactsCache,
  cacheDir: string,
): StepResult {
  const base = openSnapshot(at.snapshotPath);
  const sizes = new Map(attachments?.map(({ blobId, bytes }) => [blobId, bytes]));
  const workspace = new Workspace(base, at.overlay, at.policy, sizes);
  const results = runToolCalls(workspace, calls, {
    base,
    policy: at.policy,
    site: at.site,
    cache,
    lastChange,
    readOnly,
    attachments,
    webPages,
    ...(sources && { sources: { of: sources.map(openSource), folder: join(cacheDir, 'sources') } }),
  });
  const overlay = workspace.changes();
  const hasChanged = results.some((result) => result.ok && result.changed.length > 0);
  if (!hasChanged) return { results, overlay, state: null, diff: null };
  return { results, overlay, state: stateOf(overlay), diff: changeDiff(base, overlay) };
}

/** In bytes. A diff ends before the file that exceeds it; a file that needs half shows no lines. */
const MAX_DIFF_BYTES = 4 * 1_048_576;

/** The visible form of a change with an apparent secret: only its size. */
export function withheld(diff: ChangeDiff): ChangeDiff {
  return { ...diff, diff: '', isCut: true, pages: [] };
}

function changeDiff(base: Snapshot, overlay: readonly OverlayEntry[]): ChangeDiff {
  const changed = overlaidTree(base, overlay, base.commit);
  const diff = diffTrees(base, changed, MAX_DIFF_BYTES);
  const { files, isCut } = readDiff(diff);
  const sum = (field: 'additions' | 'deletions') => files.reduce((total, file) => total + file[field], 0);
  return {
    diff,
    isCut,
    files: files.length,
    additions: sum('additions'),
    deletions: sum('deletions'),
    pages: changedPages(base, changed),
  };
}

function stateOf(overlay: readonly OverlayEntry[]): string {
  const hash = createHash('sha1');
  for (const { path, content, blobId } of overlay) hash.update(JSON.stringify([path, content, blobId]));
  return hash.digest('base64').slice(0, 16);
}

/** Checks the docs as they are with the overlay, against what they were without. */
export function runChecks(at: ChecksAt, cache: FactsCache): CheckResult {
  const base = openSnapshot(at.snapshotPath);
  const place = { docsDir: at.policy.docsDir, site: at.site };
  const before = new DocsSite(checkedFiles(new Workspace(base, [], at.policy)), place, cache);
  const workspace = new Workspace(base, at.overlay, at.policy);
  const after = new DocsSite(checkedFiles(workspace), place, cache);
  const { now, introduced } = jobProblems(after, before);
  const lines = new Map(at.lines);
  const remaining = problemsLeft(at.earlier ?? [], now, introduced, after);
  const changed = changedPaths(base, overlaidTree(base, at.overlay, base.commit));
  return {
    // The meaning of links is a guess then.
    introduced: introduced.length === 0 || after.site.doubt ? introduced : withSuggestions(after, introduced, before),
    remaining,
    onLines: now.filter(({ path, line }) => lines.get(path)?.includes(line)),
    earlierProblems: now.length - introduced.length - remaining.length,
    diff: changeDiff(base, at.overlay),
    addresses: pageAddresses(before, after, changed),
    notes: reviewNotes({
      base,
      overlay: at.overlay,
      before,
      after,
      files: workspace,
      ...(at.instructionFiles && { instructionFiles: at.instructionFiles }),
    }),
    site: describeSite(after.site),
    checkedPages: after.site.pages.length,
  };
}

/** Instructions and kind of site, read from the base: an agent does not instruct itself. */
export function readInstructions({ snapshotPath, ...asked }: InstructionsAt): InstructionsResult {
  const files = filesOf(snapshotPath, asked.docsDir);
  const at = spelledPlace(files.paths(), asked);
  const site = detectSite(checkedFiles(files), at);
  return { instructions: read(files, { docsDir: at.docsDir, site, named: at }), site: describeSite(site) };
}

/** The kind of site in a commit, its number of pages, and the instructions for the agent. */
export function readSite({ snapshotPath, ...asked }: InstructionsAt): SiteResult {
  const files = filesOf(snapshotPath, asked.docsDir);
  const at = spelledPlace(files.paths(), asked);
  const site = detectSite(checkedFiles(files), at);
  const notThere = site.doubt?.reason === 'not-found' ? doubtText(site.doubt) : null;
  const folder = docsFolderProblem({ base: openSnapshot(snapshotPath), files, site }, at.docsDir);
  return {
    ...describeSite(site),
    notThere: folder?.isFinal ? folder.message : notThere,
    docsFolder: folder?.message ?? null,
    pages: site.pages.filter((path) => isBelow(path, at.docsDir)).length,
    instructions: read(files, { docsDir: at.docsDir, site, named: at }).files,
  };
}

/** The cache of facts about pages; a repository's snapshots share a folder. */
export function factsFile(cacheDir: string, snapshotPath: string): string {
  return join(cacheDir, `${basename(dirname(snapshotPath))}.facts`);
}

/** A commit's files, for reading only. */
function filesOf(snapshotPath: string, docsDir: string): Workspace {
  return new Workspace(openSnapshot(snapshotPath), [], { docsDir, maxFiles: 0, maxFileBytes: 0, maxTotalBytes: 0 });
}
