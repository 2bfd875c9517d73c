import { DECLARED, PROJECT_SETTINGS, type ProjectSettingValues } from '../../config/project-settings.ts';
import { AppError } from '../../platform/errors.ts';
import { isTimeZone } from '../../platform/time-zone.ts';
import { wantedMapping, withSaltPolicy, DEFAULT_SALTS } from '../analytics-settings.ts';
import type { ProjectSettings } from '../schema.ts';

/** Every setting of a project, null if the default holds. */
type CompleteSettings = { [Name in keyof ProjectSettingValues]: ProjectSettingValues[Name] | null };

type Effective = {
  [Name in keyof ProjectSettingValues]: ProjectSettingValues[Name] | (typeof PROJECT_SETTINGS)[Name]['fallback'];
};
const FALLBACKS = Object.fromEntries(DECLARED.map(([name, { fallback }]) => [name, fallback])) as Effective;

/** The effective settings: those of the project, else the defaults. */
export function effectiveSettings(stored: ProjectSettings = {}): Effective {
  return { ...FALLBACKS, ...stored };
}

/** Null takes a setting back to the default. */
export type SettingsChange = Partial<CompleteSettings>;

const NONE = Object.fromEntries(DECLARED.map(([name]) => [name, null])) as Record<keyof ProjectSettingValues, null>;

/** The settings of a project as they are read and changed from outside. */
export function completeSettings({ analyticsSalts, ...stored }: ProjectSettings): CompleteSettings {
  return { ...NONE, ...givenIn(stored), analyticsSaltPolicy: analyticsSalts?.at(-1)?.policy ?? null };
}

/**
 * Settings with a change applied.
 * @param begun whether any visitor of the project has an id yet: then a new salt policy starts on a later day
 * @throws AppError `bad_request` for settings that do not go together, or that are none
 */
export function changedSettings(
  current: ProjectSettings,
  change: SettingsChange,
  { now, begun }: { now: number; begun: boolean },
): ProjectSettings {
  refuseUnknown(change);
  const { analyticsSaltPolicy, ...given } = givenIn(change);
  const merged = { ...current, ...given };
  const settings: ProjectSettings = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null));
  if (analyticsSaltPolicy !== undefined) {
    const schedule = current.analyticsSalts ?? DEFAULT_SALTS;
    const policy = analyticsSaltPolicy ?? PROJECT_SETTINGS.analyticsSaltPolicy.fallback;
    settings.analyticsSalts = withSaltPolicy(schedule, policy, { now, begun });
  }
  if (settings.timeZone !== undefined && !isTimeZone(settings.timeZone)) {
    throw new AppError(
      'bad_request',
      `\`settings.timeZone\`: ${JSON.stringify(settings.timeZone)} is not a time zone. Use an IANA name, such as Europe/Berlin.`,
      { param: 'settings.timeZone' },
    );
  }
  const { human, ai } = wantedMapping(settings);
  const both = human.filter((each) => ai.includes(each));
  if (both.length === 0) return settings;
  throw new AppError(
    'bad_request',
    `\`settings\`: the class ${both.join(', ')} would count as both human and AI. Set \`analyticsHumanClasses\` and \`analyticsAiClasses\` without overlap.`,
  );
}

function givenIn(settings: SettingsChange): SettingsChange {
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.filter(([name]) => Object.hasOwn(PROJECT_SETTINGS, name)));
}

/** A misspelled budget would limit nothing. */
function refuseUnknown(change: SettingsChange): void {
  const unknown = Object.keys(change).find((name) => !Object.hasOwn(PROJECT_SETTINGS, name));
  if (unknown === undefined) return;
  const meant = Object.keys(PROJECT_SETTINGS).find((name) => name.toLowerCase() === unknown.toLowerCase());
  throw new AppError(
    'bad_request',
    `\`settings.${unknown}\` is not a setting of projects.${meant ? ` Did you mean \`${meant}\`?` : ''}`,
    { param: `settings.${unknown}` },
  );
}
