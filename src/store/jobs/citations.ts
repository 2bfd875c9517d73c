import { and, asc, eq, inArray, lt, notInArray, sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { citations, type CitationState } from './citation-schema.ts';
import type { Queryable } from '../database.ts';
import type { ProjectRow } from '../projects/projects.ts';
import { jobs, projects, turns } from '../schema.ts';
import { updateClaimedTurn, type TurnClaim } from './turn-fence.ts';

export type CitationRow = typeof citations.$inferSelect;
export type NewCitation = Omit<
  CitationRow,
  'jobId' | 'turnNo' | 'no' | 'state' | 'newLines' | 'isStated' | 'movedPage' | 'movedLine' | 'createdAt'
>;

/** The result of verifying a turn's citations. */
export interface VerifiedCitations {
  held: readonly NewCitation[];
  /** Claims whose source proved invalid. */
  without: number;
  /** For earlier turns: the claims' current lines on their pages; null for claims that are gone. */
  earlier: readonly (Pick<CitationRow, 'turnNo' | 'no'> & { line: number | null })[];
}

/**
 * Replaces a turn's citations with those of the newest check. Under the turn's fence.
 * @throws TurnSuperseded
 */
export async function recordCitations(
  tx: Queryable,
  claim: TurnClaim,
  { held, without, earlier }: VerifiedCitations,
): Promise<void> {
  const { jobId, no: turnNo } = claim;
  await updateClaimedTurn(tx, claim, { claimsWithoutSource: without });
  await tx.delete(citations).where(and(eq(citations.jobId, jobId), eq(citations.turnNo, turnNo)));
  for (const { turnNo: of, no, line } of earlier) {
    const isIt = and(eq(citations.jobId, jobId), eq(citations.turnNo, of), eq(citations.no, no));
    if (line === null) await tx.delete(citations).where(isIt);
    else await tx.update(citations).set({ line }).where(isIt);
  }
  if (held.length === 0) return;
  await tx.insert(citations).values(held.map((one, i) => ({ ...one, jobId, turnNo, no: i + 1 })));
}

/** Turns whose work is in no change. */
const DROPPED = ['cancelled', 'archived', 'discarded'] as const;

/**
 * Citations of the turns whose work is in the job's changes, by page and line.
 * @param chainNo of one link of its chain; absent, of all
 */
export async function listCitations(q: Queryable, jobId: string, chainNo?: number): Promise<CitationRow[]> {
  const rows = await q
    .select({ citation: citations })
    .from(citations)
    .innerJoin(turns, and(eq(turns.jobId, citations.jobId), eq(turns.no, citations.turnNo)))
    .where(
      and(
        eq(citations.jobId, jobId),
        notInArray(turns.state, [...DROPPED]),
        chainNo === undefined ? undefined : eq(turns.chainNo, chainNo),
      ),
    )
    .orderBy(asc(citations.page), asc(citations.line), asc(citations.turnNo), asc(citations.no));
  return rows.map(({ citation }) => citation);
}

/** Citations of the job's earlier turns. */
export function listEarlierCitations(q: Queryable, jobId: string, turnNo: number): Promise<CitationRow[]> {
  return q
    .select()
    .from(citations)
    .where(and(eq(citations.jobId, jobId), lt(citations.turnNo, turnNo)))
    .orderBy(asc(citations.turnNo), asc(citations.no));
}

/** For the same turns as {@link listCitations}. */
export async function countClaimsWithoutSource(q: Queryable, jobId: string, chainNo?: number): Promise<number> {
  const [row] = await q
    .select({ sum: sql<number>`coalesce(sum(${turns.claimsWithoutSource}), 0)::int` })
    .from(turns)
    .where(
      and(
        eq(turns.jobId, jobId),
        notInArray(turns.state, [...DROPPED]),
        chainNo === undefined ? undefined : eq(turns.chainNo, chainNo),
      ),
    );
  return row?.sum ?? 0;
}

/** A citation of a change that was published. */
export interface PublishedCitation {
  citation: CitationRow;
  /** The base branch that its change is in; null while the change is open. */
  mergedInto: string | null;
}

/** Projects with sources and citations. */
export async function listCitingProjects(q: Queryable): Promise<ProjectRow[]> {
  return q
    .select()
    .from(projects)
    .where(
      sql`EXISTS (SELECT 1 FROM sources s WHERE s.project_id = ${projects.id})
        AND EXISTS (SELECT 1 FROM citations c JOIN jobs j ON j.id = c.job_id WHERE j.project_id = ${projects.id})`,
    )
    .orderBy(asc(projects.id));
}

/**
 * Citations of a project's open and merged changes, and of answers about the base branch, unless a later one
 * cites the claim again. By source. Those of a source that was removed or replaced are left out.
 * @param of.states only in these states, and only claims that the base branch still states
 */
export async function listPublishedCitations(
  q: Queryable,
  of: { project: Pick<ProjectRow, 'id' | 'ref'>; states?: readonly CitationState[]; limit: number },
): Promise<PublishedCitation[]> {
  const isOpen = sql`EXISTS (SELECT 1 FROM pull_requests p
    WHERE p.job_id = ${citations.jobId} AND p.chain_no = ${turns.chainNo} AND p.state = 'open')`;
  return q
    .select({
      citation: citations,
      mergedInto: sql<string | null>`CASE WHEN ${isOpen} THEN NULL
        ELSE coalesce(${jobs.options}->>'ref', ${of.project.ref}) END`,
    })
    .from(citations)
    .innerJoin(jobs, eq(jobs.id, citations.jobId))
    .innerJoin(turns, and(eq(turns.jobId, citations.jobId), eq(turns.no, citations.turnNo)))
    .where(
      and(
        eq(jobs.projectId, of.project.id),
        isInForce({ jobId: citations.jobId, state: turns.state, chainNo: turns.chainNo }),
        of.states && and(inArray(citations.state, [...of.states]), eq(citations.isStated, true)),
        sql`EXISTS (SELECT 1 FROM sources s WHERE s.project_id = ${jobs.projectId}
          AND s.name = ${citations.source} AND s.repository = ${citations.repository})`,
        sql`NOT EXISTS (SELECT 1 FROM citations n JOIN jobs j ON j.id = n.job_id
          JOIN turns t ON t.job_id = n.job_id AND t.no = n.turn_no
          WHERE j.project_id = ${jobs.projectId} AND n.claim = ${citations.claim}
          AND coalesce(n.moved_page, n.page) = coalesce(${citations.movedPage}, ${citations.page})
          AND (n.created_at, n.job_id) > (${citations.createdAt}, ${citations.jobId})
          AND ${isInForce({ jobId: sql`n.job_id`, state: sql`t.state`, chainNo: sql`t.chain_no` })})`,
      ),
    )
    .orderBy(asc(citations.source), asc(citations.page), asc(citations.line), asc(citations.jobId), asc(citations.no))
    .limit(of.limit);
}

/** The turn was published or had nothing to change, and its pull request, if any, is open or merged. */
function isInForce({ jobId, state, chainNo }: Record<'jobId' | 'state' | 'chainNo', SQLWrapper>): SQL {
  return sql`(${state} IN ('published', 'unchanged') AND NOT EXISTS (SELECT 1 FROM pull_requests p
    WHERE p.job_id = ${jobId} AND p.chain_no = ${chainNo} AND p.state = 'closed'))`;
}

/** Records where the base branch states the claim. Safe to repeat. */
export async function recordStated(
  q: Queryable,
  { jobId, turnNo, no }: CitationRow,
  found: Pick<CitationRow, 'isStated' | 'movedPage' | 'movedLine'>,
): Promise<void> {
  await q
    .update(citations)
    .set(found)
    .where(and(eq(citations.jobId, jobId), eq(citations.turnNo, turnNo), eq(citations.no, no)));
}

/**
 * Records the current state on the source's branch, unless another call has changed it in the meantime. Safe
 * to repeat.
 * @returns whether the citation no longer holds since this call
 */
export async function recordCitationState(
  q: Queryable,
  { jobId, turnNo, no, state }: CitationRow,
  found: Pick<CitationRow, 'state' | 'newLines'>,
): Promise<boolean> {
  const isIt = and(eq(citations.jobId, jobId), eq(citations.turnNo, turnNo), eq(citations.no, no));
  const changed = await q
    .update(citations)
    .set(found)
    .where(and(isIt, eq(citations.state, state)))
    .returning({ no: citations.no });
  return changed.length > 0 && state === 'held' && found.state !== 'held';
}
