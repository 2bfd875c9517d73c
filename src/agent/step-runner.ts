import { basename, dirname, join } from 'node:path';
import type { BaseTree, OverlayEntry, WritePolicy } from '../git/contract.ts';
import { openSnapshot } from '../git/snapshot/snapshot.ts';
import { Workspace } from '../git/workspace.ts';
import { checkDocs } from './checks/check-docs.ts';
import { introducedProblems } from './checks/introduced-problems.ts';
import type { Problem } from './checks/problem.ts';
import { reviewNotes, type ReviewNote } from './checks/review-notes.ts';
import { describeSite, type SiteDescription } from './content/describe-site.ts';
import { DocsSite } from './content/docs-site.ts';
import type { FactsCache } from './content/facts-cache.ts';
import { detectSite, type SiteKind } from './content/site.ts';
import { readAgentInstructions, readStyleGuides, type AgentInstructions } from './instructions.ts';
import { runToolCalls } from './tools/tool-set.ts';
import type { ToolCall, ToolResult } from './transcript.ts';

/** A workspace as plain data: it crosses into a child process. */
export interface WorkspaceAt {
  /** File of the base commit's snapshot. */
  snapshotPath: string;
  overlay: OverlayEntry[];
  policy: WritePolicy;
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
  siteKind: SiteKind;
}

/** Carries out an answer's tool calls, in order. The same input gives the same result. */
export function runStep({ calls, ...at }: WorkspaceAt & { calls: ToolCall[] }, cache: FactsCache): StepResult {
  const base = openSnapshot(at.snapshotPath);
  const workspace = new Workspace(base, at.overlay, at.policy);
  const results = runToolCalls(workspace, calls, { base, policy: at.policy, cache });
  return { results, overlay: workspace.changes() };
}

/** Checks the docs as they are with the overlay, against what they were without. */
export function runChecks(at: WorkspaceAt, cache: FactsCache): CheckResult {
  const base = openSnapshot(at.snapshotPath);
  const before = siteOf(base, [], at.policy, cache);
  const workspace = new Workspace(base, at.overlay, at.policy);
  const after = new DocsSite(workspace, at.policy.docsDir, cache);
  const introduced = introducedProblems(checkDocs(before), checkDocs(after, before), (path) => !workspace.exists(path));
  return {
    introduced,
    notes: reviewNotes(base, at.overlay),
    site: describeSite(after.site),
    checkedPages: after.site.pages.length,
  };
}

/** What the repository tells agents, and what kind of site it holds. Read from the base: an agent does not instruct itself. */
export function readInstructions({
  snapshotPath,
  docsDir,
}: {
  snapshotPath: string;
  docsDir: string;
}): InstructionsResult {
  const base = openSnapshot(snapshotPath);
  const files = new Workspace(base, [], { docsDir, maxFiles: 0, maxFileBytes: 0, maxTotalBytes: 0 });
  return {
    instructions: readAgentInstructions(files, docsDir),
    styleGuides: readStyleGuides(files, docsDir),
    siteKind: detectSite(files, docsDir).kind,
  };
}

/** Where the facts of a repository's pages are kept between processes: the snapshots of one repository share a folder. */
export function factsFile(cacheDir: string, snapshotPath: string): string {
  return join(cacheDir, `${basename(dirname(snapshotPath))}.facts`);
}

function siteOf(base: BaseTree, overlay: OverlayEntry[], policy: WritePolicy, cache: FactsCache): DocsSite {
  return new DocsSite(new Workspace(base, overlay, policy), policy.docsDir, cache);
}
