import { AppError } from '../platform/errors.ts';
import { wantedMapping, withSaltPolicy, DEFAULT_SALTS, type SaltPolicy } from './analytics-settings.ts';
import type { ProjectSettings } from './schema.ts';

/** Null takes a setting back to the installation's default. */
export type SettingsChange = {
  [Name in keyof Omit<ProjectSettings, 'analyticsSalts'>]?: ProjectSettings[Name] | null;
} & { analyticsSaltPolicy?: SaltPolicy | null };

/**
 * Settings with some of them changed.
 * @param begun whether any visitor of the project has got an id: another salt policy is then for days to come
 * @throws AppError `bad_request` for settings that do not go together
 */
export function changedSettings(
  current: ProjectSettings,
  { analyticsSaltPolicy, ...change }: SettingsChange,
  { now, begun }: { now: number; begun: boolean },
): ProjectSettings {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  const merged = { ...current, ...Object.fromEntries(given) };
  const settings: ProjectSettings = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null));
  if (analyticsSaltPolicy !== undefined) {
    const schedule = current.analyticsSalts ?? DEFAULT_SALTS;
    settings.analyticsSalts = withSaltPolicy(schedule, analyticsSaltPolicy ?? 'fixed', { now, begun });
  }
  const { human, ai } = wantedMapping(settings);
  const both = human.filter((each) => ai.includes(each));
  if (both.length === 0) return settings;
  throw new AppError(
    'bad_request',
    `\`settings\`: the class ${both.join(', ')} would count as human and as AI. Say \`analyticsHumanClasses\` and \`analyticsAiClasses\` so that no class is in both.`,
  );
}
