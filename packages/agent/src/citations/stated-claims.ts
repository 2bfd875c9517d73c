import { pageFormatOf } from '@docent/docs-check/read/page-format';
import { openSnapshot } from '@docent/git/snapshot/snapshot';
import { Workspace } from '@docent/git/workspace';
import { linesWithClaim } from './verify-citations.ts';

/** A claim, and where a page states it. */
export interface StatedClaim {
  page: string;
  line: number;
  claim: string;
}

export interface StatedAt {
  snapshotPath: string;
  docsDir: string;
  claims: StatedClaim[];
}

/**
 * Where the docs of a commit state each claim: on its page, else, if that page no longer exists, on the only
 * other page that has it. Null if nowhere.
 */
export function statedClaims({ snapshotPath, docsDir, claims }: StatedAt): (Omit<StatedClaim, 'claim'> | null)[] {
  const policy = { docsDir, maxFiles: 0, maxFileBytes: 0, maxTotalBytes: 0 };
  const workspace = new Workspace(openSnapshot(snapshotPath), [], policy);
  const linesOn = (page: string, claim: string) => {
    const text = workspace.kind(page) === 'text' ? workspace.readText(page) : null;
    return text === null ? [] : linesWithClaim(text, page, claim);
  };
  const others = new Map<StatedClaim, Omit<StatedClaim, 'claim'>[]>();
  for (const claim of claims) if (!workspace.exists(claim.page)) others.set(claim, []);
  if (others.size > 0) {
    for (const page of workspace.paths()) {
      if (!pageFormatOf(page) || !workspace.inDocsDir(page)) continue;
      for (const [{ claim }, found] of others) {
        const [first] = linesOn(page, claim);
        if (first) found.push({ page, line: first.start });
      }
    }
  }
  return claims.map((cited) => {
    const { page, line, claim } = cited;
    const elsewhere = others.get(cited);
    if (elsewhere) return elsewhere.length === 1 ? elsewhere[0]! : null;
    const found = linesOn(page, claim);
    const stated = found.find(({ start }) => start === line) ?? found[0];
    return stated ? { page, line: stated.start } : null;
  });
}
