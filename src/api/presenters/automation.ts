import { triggerText } from '../../jobs/trigger-text.ts';
import type { RunRow } from '../../store/automations/automation-runs.ts';
import type { AutomationRow, AutomationText } from '../../store/automations/automations.ts';
import type { PullRequestRow } from '../../store/pull-requests/pull-requests.ts';
import type { components } from '@docent/client';

type DefinitionRow = AutomationText & Pick<AutomationRow, 'webhook' | 'webhookSecret' | 'file'>;

/** The definition of an automation by a person or a file, without the secret of its webhook. */
export function presentDefinition(row: DefinitionRow) {
  const { options, webhook, webhookSecret } = row;
  const secretName = webhook?.secretName ?? null;
  const signed = webhookSecret !== null || secretName !== null;
  return {
    name: row.name,
    prompt: row.prompt,
    instructions: row.instructions,
    mode: options.mode ?? 'pull-request',
    ref: options.ref ?? null,
    branch: options.branch ?? null,
    model: row.model,
    effort: options.effort ?? null,
    draft: options.draft ?? null,
    title: options.title ?? null,
    budget: options.budget ? { tokens: null, usd: null, ...options.budget } : null,
    metadata: row.metadata,
    webhook: webhook && { url: webhook.url, events: webhook.events, secretName, signed },
    enabled: row.enabled,
    trigger: row.trigger,
    foldIntoOpenPullRequest: row.foldIntoOpenPullRequest,
    maxRunsPerDay: row.maxRunsPerDay,
    cooldownMinutes: row.cooldownMinutes,
    file: row.file,
  };
}

/** An automation as the API shows it to those who manage it. */
export function presentAutomation(row: AutomationRow): components['schemas']['Automation'] {
  return {
    id: row.id,
    ...presentDefinition(row),
    triggerText: triggerText(row.trigger),
    pausedAt: row.pausedAt?.toISOString() ?? null,
    pausedReason: row.pausedReason,
    runs: row.runs,
    lastTriggeredAt: row.lastTriggeredAt?.toISOString() ?? null,
    lastJobId: row.lastJobId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** @param pullRequest the run's, if it has one */
export function presentRun(
  row: RunRow,
  pullRequest: Pick<PullRequestRow, 'id' | 'link' | 'state'> | null,
): components['schemas']['AutomationRun'] {
  return {
    id: row.id,
    number: row.no,
    status: row.status,
    skippedBecause: row.skippedBecause,
    cause: row.cause,
    events: row.events,
    since: row.since,
    until: row.until,
    material: row.material,
    jobId: row.jobId,
    pullRequest,
    usage: row.usage,
    summary: row.summary,
    createdAt: row.createdAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
  };
}
