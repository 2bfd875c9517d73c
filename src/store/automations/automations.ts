import { and, count, desc, eq, inArray, isNotNull, isNull, lt, or, sql } from 'drizzle-orm';
import { branchNameProblem } from '@docent/base/branch-name';
import { AppError } from '../../platform/errors.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { automations, type CodeHeads } from './automation-schema.ts';
import type { Query, Queryable } from '../database.ts';
import { sqlStateOf } from '../database-problem.ts';
import { newId } from '../ids.ts';
import { holdProject } from '../projects/projects.ts';
import type { WebhookEvent } from '@docent/client';
import { readProjectSecret } from '../projects/project-secrets.ts';
import { projects } from '../schema.ts';
import { newWebhookSecret } from '../webhooks/webhooks.ts';

export type AutomationRow = typeof automations.$inferSelect;

export const MAX_AUTOMATIONS = 100;
/** Runs in a row that may fail. */
const MAX_FAILURES = 3;
const UNIQUE = '23505';
const RUN = '{run}';
/** A number with as many digits as runs will ever have: the longest name that a pattern gives. */
const LONGEST_RUN = 9_999_999_999;

/** The webhook for its jobs. */
export interface AutomationWebhook {
  url: string;
  events: WebhookEvent[];
  /** Null, without a `secretName`: messages carry no signature. */
  secret: string | null;
  /** The project's secret that signs messages. */
  secretName?: string;
}

interface AutomationAt {
  projectId: string;
  id: string;
}

/** What an automation does, and when. */
export type AutomationText = Pick<
  AutomationRow,
  | 'name'
  | 'prompt'
  | 'instructions'
  | 'options'
  | 'model'
  | 'metadata'
  | 'enabled'
  | 'trigger'
  | 'foldIntoOpenPullRequest'
  | 'maxRunsPerDay'
  | 'cooldownMinutes'
>;

export interface NewAutomation extends AutomationText {
  projectId: string;
  id?: string | undefined;
  webhook: AutomationWebhook | null;
  /** See `automations.file`. */
  file?: string;
}

/** Undefined fields stay; null options are removed. */
export type AutomationChange = {
  [Key in keyof Omit<AutomationText, 'options'>]?: AutomationText[Key] | undefined;
} & {
  options: { [Key in keyof AutomationText['options']]: AutomationText['options'][Key] | null };
  /** Without a secret, the one before stays. */
  webhook?: (Omit<AutomationWebhook, 'secret'> & Partial<Pick<AutomationWebhook, 'secret'>>) | null | undefined;
  file?: string | undefined;
};

/**
 * Serialized within the project, so that the limit is exact, and no row is added to a page of the list that
 * was already read.
 * @throws AppError `project_not_found`, `too_many_automations` if the project has 100, `automation_exists`
 *   for an id or a name in use, `bad_request` for a branch pattern that yields no valid branch;
 *   Expected `secret_key`
 */
export async function insertAutomation(tx: Queryable, box: SecretBox, input: NewAutomation): Promise<AutomationRow> {
  const { projectId, id = newId(), webhook, ...words } = input;
  assertBranchPattern(words.options.branch);
  await lockAutomationsOf(tx, projectId);
  const [found] = await tx.select({ there: count() }).from(automations).where(eq(automations.projectId, projectId));
  if ((found?.there ?? 0) >= MAX_AUTOMATIONS) {
    throw new AppError(
      'too_many_automations',
      `The project ${projectId} has reached the limit of ${MAX_AUTOMATIONS} automations. Delete one first.`,
    );
  }
  const now = sql`clock_timestamp()`;
  const [row] = await tx
    .insert(automations)
    .values({
      ...words,
      ...kept(box, { projectId, id }, webhook),
      projectId,
      id,
      scheduleDue: words.trigger.type === 'schedule',
      createdAt: now,
      updatedAt: now,
    })
    .onConflictDoNothing()
    .returning();
  if (row) return row;
  const taken = await findAutomation(tx, { projectId, id });
  throw taken ? exists('id', id) : exists('name', words.name);
}

/**
 * Prevents other automations from being created in the project until the transaction ends.
 * @throws AppError `project_not_found`
 */
export async function lockAutomationsOf(tx: Queryable, projectId: string): Promise<void> {
  await holdProject(tx, projectId);
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`docent:automations:${projectId}`}, 0))`);
}

/**
 * Notes that files define the automations now. Call it after {@link lockAutomationsOf}.
 * @param readSince milliseconds by the database's clock: the files were read after it
 * @returns false if others were applied since then: the repository may have had newer ones for them
 */
export async function noteApplied(tx: Queryable, projectId: string, readSince: number): Promise<boolean> {
  const { automationsAppliedAt } = projects;
  const isNewest = or(isNull(automationsAppliedAt), lt(automationsAppliedAt, new Date(readSince)));
  const { rowCount } = await tx
    .update(projects)
    .set({ automationsAppliedAt: sql`clock_timestamp()` })
    .where(and(eq(projects.id, projectId), isNewest));
  return rowCount === 1;
}

/** @throws AppError `automation_not_found` */
export async function requireAutomation(q: Queryable, at: AutomationAt): Promise<AutomationRow> {
  const automation = await findAutomation(q, at);
  if (!automation) throw automationNotFound(at.id);
  return automation;
}

/** Null if the project has none of this id. */
export async function findAutomation(q: Queryable, at: AutomationAt): Promise<AutomationRow | null> {
  const [row] = await q.select().from(automations).where(isIt(at));
  return row ?? null;
}

/** Newest first; `before` is the last row of the previous page. */
export function listAutomations(
  q: Queryable,
  at: { projectId: string; limit: number; before?: { createdAt: Date; id: string } | undefined },
): Promise<AutomationRow[]> {
  const { before } = at;
  return q
    .select()
    .from(automations)
    .where(
      and(
        eq(automations.projectId, at.projectId),
        before && sql`(${automations.createdAt}, ${automations.id}) < (${before.createdAt}, ${before.id})`,
      ),
    )
    .orderBy(desc(automations.createdAt), desc(automations.id))
    .limit(at.limit);
}

/**
 * @param check gets the locked row before the change, and throws if it may not be changed
 * @throws AppError `automation_not_found`, `automation_exists`, `bad_request`; Expected `secret_key`
 */
export async function updateAutomation(
  tx: Queryable,
  box: SecretBox,
  at: AutomationAt,
  { options, webhook, ...words }: AutomationChange,
  check: (current: AutomationRow) => void = () => {},
): Promise<AutomationRow> {
  const current = await lockAutomation(tx, at);
  check(current);
  const merged = Object.entries({ ...current.options, ...options }).filter(([, value]) => value !== null);
  const changed: AutomationRow['options'] = Object.fromEntries(merged);
  assertBranchPattern(changed.branch);
  try {
    const [row] = await tx
      .update(automations)
      .set({
        ...words,
        options: changed,
        ...(webhook === undefined ? {} : changedWebhook(box, at, webhook)),
        ...(words.trigger === undefined ? {} : { scheduleDue: true }),
        ...(words.enabled ? { failures: 0, pausedAt: null, pausedReason: null } : {}),
        updatedAt: sql`clock_timestamp()`,
      })
      .where(isIt(at))
      .returning();
    if (!row) throw automationNotFound(at.id);
    return row;
  } catch (err) {
    if (sqlStateOf(err) === UNIQUE) throw exists('name', words.name ?? current.name);
    throw err;
  }
}

/** Their names become free for others. The caller gives them new ones in the same transaction. */
export async function releaseNames(tx: Queryable, { projectId, ids }: { projectId: string; ids: string[] }) {
  const { id } = automations;
  await tx
    .update(automations)
    .set({ name: sql`${newId()} || ${id}` })
    .where(and(eq(automations.projectId, projectId), inArray(id, ids)));
}

/** Replaces the secret of its delivery URL. @throws AppError `automation_not_found`; Expected `secret_key` */
export async function rotateHookSecret(q: Queryable, box: SecretBox, at: AutomationAt): Promise<string> {
  const secret = newWebhookSecret();
  const { box: hookSecret, keyId: hookKeyId } = box.encrypt(secret, hookPurposeOf(at));
  const changed = await q.update(automations).set({ hookSecret, hookKeyId }).where(isIt(at)).returning();
  if (changed.length === 0) throw automationNotFound(at.id);
  return secret;
}

/**
 * Automations with this id that accept deliveries, and their secrets. An id is only unique within its
 * project.
 * @throws Expected `secret_key`
 */
export async function listHooks(
  q: Queryable,
  box: SecretBox,
  id: string,
): Promise<{ automation: AutomationRow; secret: string }[]> {
  const rows = await q
    .select()
    .from(automations)
    .where(and(eq(automations.id, id), isNotNull(automations.hookSecret)));
  return rows.flatMap((automation) => {
    const { hookSecret, hookKeyId, trigger } = automation;
    if (trigger.type !== 'webhook' || hookSecret === null || hookKeyId === null) return [];
    return [{ automation, secret: box.decrypt({ box: hookSecret, keyId: hookKeyId }, hookPurposeOf(automation)) }];
  });
}

/**
 * Counts a run that ended. After three failures in a row, the automation pauses itself.
 * @returns the reason, where this run paused it
 */
export async function countRunEnd(
  tx: Queryable,
  automation: AutomationRow,
  { failed, problem }: { failed: boolean; problem: string | null },
): Promise<string | null> {
  const failures = failed ? automation.failures + 1 : 0;
  const reason =
    failures >= MAX_FAILURES && automation.pausedAt === null
      ? `${MAX_FAILURES} runs in a row have failed.${problem === null ? '' : ` The last one: ${problem}`}`
      : null;
  await tx
    .update(automations)
    .set({ failures, ...(reason === null ? {} : { pausedAt: sql`clock_timestamp()`, pausedReason: reason }) })
    .where(isIt(automation));
  return reason;
}

/** Its jobs stay. Returns the row as it was. @throws AppError `automation_not_found` */
export async function deleteAutomation(q: Queryable, at: AutomationAt): Promise<AutomationRow> {
  const [row] = await q.delete(automations).where(isIt(at)).returning();
  if (!row) throw automationNotFound(at.id);
  return row;
}

/**
 * Locks it until the transaction ends: parallel triggers and changes wait.
 * @throws AppError `automation_not_found`
 */
export async function lockAutomation(tx: Queryable, at: AutomationAt): Promise<AutomationRow> {
  const [row] = await tx.select().from(automations).where(isIt(at)).for('no key update');
  if (!row) throw automationNotFound(at.id);
  return row;
}

/** In the transaction that accepts the run's job; the row is locked. */
export async function noteRun(tx: Queryable, at: AutomationAt, { run, jobId }: { run: number; jobId: string }) {
  await tx
    .update(automations)
    .set({ runs: run, lastJobId: jobId, lastTriggeredAt: sql`clock_timestamp()` })
    .where(isIt(at));
}

/**
 * Records that runs have seen the code up to these commits. With `keep`, existing commits stay. Idempotent.
 */
export async function noteCodeHeads(
  tx: Queryable,
  at: AutomationAt,
  heads: CodeHeads,
  which: 'keep' | 'replace',
): Promise<void> {
  const { codeHeads } = automations;
  const added = sql`${JSON.stringify(heads)}::jsonb`;
  await tx
    .update(automations)
    .set({ codeHeads: which === 'keep' ? sql`${added} || ${codeHeads}` : sql`${codeHeads} || ${added}` })
    .where(isIt(at));
}

/** A run waits that has this number. */
export async function noteQueuedRun(tx: Queryable, at: AutomationAt, run: number): Promise<void> {
  await tx.update(automations).set({ runs: run }).where(isIt(at));
}

/** The branch of a run's job; undefined if Docent names it. */
export function branchOfRun(pattern: string | undefined, run: number): string | undefined {
  return pattern?.replaceAll(RUN, String(run));
}

/** Automations whose schedule in Temporal is due for a change, or all that have one. */
export function listScheduled(
  q: Queryable,
  which: 'due' | 'all',
): Query<Pick<AutomationRow, 'projectId' | 'id' | 'trigger' | 'updatedAt'>[]> {
  const { projectId, id, trigger, updatedAt, scheduleDue } = automations;
  return q
    .select({ projectId, id, trigger, updatedAt })
    .from(automations)
    .where(which === 'due' ? eq(scheduleDue, true) : sql`${trigger} ->> 'type' = 'schedule'`);
}

/** The schedule follows the row as it was read; a change since then stays due. */
export async function noteScheduled(
  q: Queryable,
  automation: Pick<AutomationRow, 'projectId' | 'id' | 'updatedAt'>,
): Promise<void> {
  await q
    .update(automations)
    .set({ scheduleDue: false })
    .where(and(isIt(automation), eq(automations.updatedAt, automation.updatedAt)));
}

/**
 * The secret of its webhook; null if there is none.
 * @throws AppError `bad_request` if the project has no secret of that name; Expected `secret_key`
 */
export async function webhookSecretOf(q: Queryable, box: SecretBox, row: AutomationRow): Promise<string | null> {
  const { projectId, webhook, webhookSecret, webhookKeyId } = row;
  if (webhook?.secretName !== undefined) return readProjectSecret(q, box, { projectId, name: webhook.secretName });
  if (webhookSecret === null || webhookKeyId === null) return null;
  return box.decrypt({ box: webhookSecret, keyId: webhookKeyId }, purposeOf(row));
}

export function automationNotFound(id: string): AppError {
  return new AppError(
    'automation_not_found',
    `Automation ${id} does not exist in this project. \`docent automation list\` shows them.`,
  );
}

function changedWebhook(box: SecretBox, at: AutomationAt, webhook: NonNullable<AutomationChange['webhook']> | null) {
  if (webhook && webhook.secret === undefined && webhook.secretName === undefined) {
    return { webhook: { url: webhook.url, events: webhook.events } };
  }
  return kept(box, at, webhook && { ...webhook, secret: webhook.secret ?? null });
}

function kept(box: SecretBox, at: AutomationAt, webhook: AutomationWebhook | null) {
  const secret = webhook?.secret ?? null;
  const secretName = webhook?.secretName;
  const encrypted = secret === null ? null : box.encrypt(secret, purposeOf(at));
  return {
    webhook: webhook && { url: webhook.url, events: webhook.events, ...(secretName && { secretName }) },
    webhookSecret: encrypted?.box ?? null,
    webhookKeyId: encrypted?.keyId ?? null,
  };
}

/** @throws AppError `bad_request` for a pattern that names no branch */
export function assertBranchPattern(pattern: string | undefined): void {
  const longest = branchOfRun(pattern, LONGEST_RUN);
  const problem = longest === undefined ? null : branchNameProblem(longest);
  if (problem === null) return;
  throw new AppError('bad_request', `\`branch\` does not result in a valid branch name: ${problem}.`);
}

function isIt({ projectId, id }: AutomationAt) {
  return and(eq(automations.projectId, projectId), eq(automations.id, id));
}

/** A secret opens for its automation alone. */
function purposeOf({ projectId, id }: AutomationAt): string {
  return JSON.stringify(['automation', projectId, id]);
}

function hookPurposeOf({ projectId, id }: AutomationAt): string {
  return JSON.stringify(['automation hook', projectId, id]);
}

function exists(param: 'id' | 'name', value: string): AppError {
  return new AppError(
    'automation_exists',
    `\`${param}\`: the project already has an automation ${JSON.stringify(value)}. Change that one, or choose another ${param}.`,
    { param },
  );
}
