import { basename, dirname, join } from 'node:path';
import type { OverlayEntry, WritePolicy } from '../git/contract.ts';
import { openSnapshot } from '../git/snapshot/snapshot.ts';
import { Workspace } from '../git/workspace.ts';
import { checkDocs } from '../docs-site/checks/check-docs.ts';
import { introducedProblems } from '../docs-site/checks/introduced-problems.ts';
import type { Problem } from '../docs-site/checks/problem.ts';
import { reviewNotes, type ReviewNote } from '../docs-site/checks/review-notes.ts';
import { describeSite, doubtInWords, type SiteDescription } from '../docs-site/read/describe-site.ts';
import { DocsSite } from '../docs-site/read/docs-site.ts';
import type { FactsCache } from '../docs-site/read/facts-cache.ts';
import { detectSite, isBelow, type SitePlace } from '../docs-site/read/site.ts';
import { readAgentInstructions, readStyleGuides, type AgentInstructions } from './instructions.ts';
import { runToolCalls } from './tools/tool-set.ts';
import type { LastChange } from './tools/last-change.ts';
import type { ToolCall, ToolResult } from './tools/tool-call.ts';

/** A workspace as plain data: it crosses into a child process. */
export interface WorkspaceAt {
  /** File of the base commit's snapshot. */
  snapshotPath: string;
  overlay: OverlayEntry[];
  policy: WritePolicy;
  /** What the project says of its site: see SitePlace. */
  site?: string | null | undefined;
}

export interface StepInput extends WorkspaceAt {
  calls: ToolCall[];
  /** What the job published last, for calls of `undo`. */
  lastChange?: LastChange | null;
}

export interface StepResult {
  results: ToolResult[];
  /** The whole overlay after the calls. */
  overlay: OverlayEntry[];
}

export interface CheckResult {
  /** Problems that the base does not have. */
  introduced: Problem[];
  /** What a person should look at before the change counts. */
  notes: ReviewNote[];
  site: SiteDescription;
  checkedPages: number;
}

export interface InstructionsResult {
  instructions: AgentInstructions[];
  styleGuides: AgentInstructions[];
  site: SiteDescription;
}

export interface SiteResult extends SiteDescription {
  /** In the docs folder. */
  pages: number;
  /** A sentence where there is nothing at the place that SitePlace names. */
  notThere: string | null;
}

/** Carries out an answer's tool calls, in order. The same input gives the same result. */
export function runStep({ calls, lastChange, ...at }: StepInput, cache: FactsCache): StepResult {
  const base = openSnapshot(at.snapshotPath);
  const workspace = new Workspace(base, at.overlay, at.policy);
  const results = runToolCalls(workspace, calls, { base, policy: at.policy, site: at.site, cache, lastChange });
  return { results, overlay: workspace.changes() };
}

/** Checks the docs as they are with the overlay, against what they were without. */
export function runChecks(at: WorkspaceAt, cache: FactsCache): CheckResult {
  const base = openSnapshot(at.snapshotPath);
  const place = { docsDir: at.policy.docsDir, site: at.site };
  const before = new DocsSite(new Workspace(base, [], at.policy), place, cache);
  const workspace = new Workspace(base, at.overlay, at.policy);
  const after = new DocsSite(workspace, place, cache);
  const introduced = introducedProblems(checkDocs(before), checkDocs(after, before), (path) => !workspace.exists(path));
  return {
    introduced,
    notes: reviewNotes(base, at.overlay),
    site: describeSite(after.site),
    checkedPages: after.site.pages.length,
  };
}

/** What the repository tells agents, and what kind of site it holds. Read from the base: an agent does not instruct itself. */
export function readInstructions({ snapshotPath, ...place }: SitePlace & { snapshotPath: string }): InstructionsResult {
  const { docsDir } = place;
  const files = filesOf(snapshotPath, docsDir);
  return {
    instructions: readAgentInstructions(files, docsDir),
    styleGuides: readStyleGuides(files, docsDir),
    site: describeSite(detectSite(files, place)),
  };
}

/** What makes a site of the docs in a commit, and how many pages it has there. */
export function readSite({ snapshotPath, ...place }: SitePlace & { snapshotPath: string }): SiteResult {
  const site = detectSite(filesOf(snapshotPath, place.docsDir), place);
  const notThere = site.doubt?.reason === 'not-found' ? doubtInWords(site.doubt) : null;
  return { ...describeSite(site), notThere, pages: site.pages.filter((path) => isBelow(path, place.docsDir)).length };
}

/** Where the facts of a repository's pages are kept between processes: the snapshots of one repository share a folder. */
export function factsFile(cacheDir: string, snapshotPath: string): string {
  return join(cacheDir, `${basename(dirname(snapshotPath))}.facts`);
}

/** A commit's files, to be looked at alone. */
function filesOf(snapshotPath: string, docsDir: string): Workspace {
  return new Workspace(openSnapshot(snapshotPath), [], { docsDir, maxFiles: 0, maxFileBytes: 0, maxTotalBytes: 0 });
}
