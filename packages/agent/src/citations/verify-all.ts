import { openSnapshot } from '@docent/git/snapshot/snapshot';
import { Workspace } from '@docent/git/workspace';
import { openSource, type SourceAt } from '../sources/source.ts';
import type { WorkspaceAt } from '../step-runner.ts';
import type { CitedClaim } from './read-citations.ts';
import { linesWithClaim, verifyCitation, type ReadLines, type Verdict } from './verify-citations.ts';

/** The agent's citations in a turn, and what to verify them against. */
export interface CitationsAt extends WorkspaceAt {
  sources: SourceAt[];
  cited: CitedClaim[];
  reads: ReadLines[];
  /** Claims of earlier turns. Their pages may now state them elsewhere. */
  earlier: { page: string; claim: string }[];
}

export interface CitationsResult {
  /** In the order of the citations. */
  verdicts: Verdict[];
  /** Lines of the earlier claims, in their order; null if the page no longer states one. */
  earlier: (number | null)[];
}

/** The same input gives the same result. */
export function verifyCitations(at: CitationsAt): CitationsResult {
  const workspace = new Workspace(openSnapshot(at.snapshotPath), at.overlay, at.policy);
  const context = { workspace, sources: at.sources.map(openSource), reads: at.reads };
  return {
    verdicts: at.cited.map((cited) => verifyCitation(cited, context)),
    earlier: at.earlier.map(({ page, claim }) => {
      const text = workspace.kind(page) === 'text' ? workspace.readText(page) : null;
      return text === null ? null : (linesWithClaim(text, page, claim)[0]?.start ?? null);
    }),
  };
}
