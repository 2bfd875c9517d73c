import type { AutomationRow } from '../../store/automations.ts';
import type { components } from '../generated/openapi.ts';

/** An automation as the API shows it to those who manage it: everything but the secret of its webhook. */
export function presentAutomation(row: AutomationRow): components['schemas']['Automation'] {
  const { options, webhook } = row;
  return {
    id: row.id,
    name: row.name,
    prompt: row.prompt,
    mode: options.mode ?? 'pull-request',
    ref: options.ref ?? null,
    branch: options.branch ?? null,
    model: row.model,
    effort: options.effort ?? null,
    draft: options.draft ?? null,
    title: options.title ?? null,
    budget: options.budget ? { tokens: null, usd: null, ...options.budget } : null,
    metadata: row.metadata,
    webhook: webhook && { ...webhook, signed: row.webhookSecret !== null },
    enabled: row.enabled,
    runs: row.runs,
    lastTriggeredAt: row.lastTriggeredAt?.toISOString() ?? null,
    lastJobId: row.lastJobId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}
