import { RULES } from '../rules.ts';
import type { ProblemCode } from '../problem.ts';
import type { AskedRules } from '../style/asked-rules.ts';
import type { Level, SettingsForm } from './settings-form.ts';

/**
 * The rules that the settings turn on: by a level, and `required-front-matter` also by naming fields.
 * @param matches whether a file matches a glob of the settings
 */
export function askedOf(
  { requiredFrontMatter }: Pick<SettingsForm, 'requiredFrontMatter'>,
  levels: ReadonlyMap<string, Level>,
  matches: (glob: string) => (file: string) => boolean,
): AskedRules {
  const required = Array.isArray(requiredFrontMatter)
    ? [{ isFor: () => true, fields: requiredFrontMatter }]
    : Object.entries(requiredFrontMatter ?? {}).map(([glob, fields]) => ({ isFor: matches(glob), fields }));
  const isOn = (code: ProblemCode) => {
    const level = levels.get(code) ?? (code === 'required-front-matter' && required.length > 0 ? 'on' : 'off');
    return level !== 'off';
  };
  const codes = (Object.keys(RULES) as ProblemCode[]).filter((code) => RULES[code].needs === 'settings' && isOn(code));
  return {
    codes: new Set(codes),
    requiredFields: (path) => [...new Set(required.flatMap(({ isFor, fields }) => (isFor(path) ? fields : [])))],
  };
}
