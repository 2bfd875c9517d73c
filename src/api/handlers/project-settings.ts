import type { SettingsChange } from '../../store/project-settings.ts';
import type { components } from '../generated/openapi.ts';

/** The settings that a request may change; what else it holds is ignored, as unknown fields are. */
export function settingsIn(given: components['schemas']['ProjectSettings']): SettingsChange {
  return {
    site: given.site,
    branchPrefix: given.branchPrefix,
    archiveAfterDays: given.archiveAfterDays,
    budgetJobTokens: given.budgetJobTokens,
    budgetJobUsd: given.budgetJobUsd,
    budgetDayTokens: given.budgetDayTokens,
    budgetDayUsd: given.budgetDayUsd,
    analyticsOrigins: given.analyticsOrigins,
    analyticsRetentionDays: given.analyticsRetentionDays,
    analyticsHumanClasses: given.analyticsHumanClasses,
    analyticsAiClasses: given.analyticsAiClasses,
    analyticsSaltPolicy: given.analyticsSaltPolicy,
    draft: given.draft,
    labels: given.labels,
    reviewers: given.reviewers,
  };
}
