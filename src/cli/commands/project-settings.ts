import type { components } from '@docent/client';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { DECLARED } from '../../config/project-settings.ts';
import type { ProjectSetting } from '../../config/project-setting.ts';

/** Represents null in options: commander turns null into an empty string. */
const RESET = Symbol('the default');

/** The options for the settings of a project. */
export function withSettings(command: Command): Command {
  for (const option of DECLARED.flatMap(([, setting]) => optionsOf(setting))) command.addOption(option);
  return command;
}

/** The settings in a command line; null restores a default. Undefined if there are none. */
export function settingsIn(command: Command): components['schemas']['ProjectSettings'] | undefined {
  const given = DECLARED.flatMap(([name, { flag }]) => {
    const value: unknown = command.getOptionValue(new Option(flag).attributeName());
    return value === undefined ? [] : [[name, value === RESET ? null : value] as const];
  });
  return given.length > 0 ? Object.fromEntries(given) : undefined;
}

/** The lines of `docent project show`. Settings that share a line are named there where they are set. */
export function settingLines(settings: Readonly<Record<string, unknown>>): Record<string, string> {
  const byLine = Map.groupBy(DECLARED, ([, { shownAs }]) => shownAs);
  return Object.fromEntries(
    [...byLine].map(([line, declared]) => {
      const set = declared.flatMap(([name, { words = plainText }]) => {
        const value = settings[name] ?? null;
        return value === null ? [] : [words(value)];
      });
      return [line, set.length > 0 ? set.join(', ') : defaultText(declared[0]![1])];
    }),
  );
}

/** `2 (default)`, `none`, or the origin of the default. */
export function defaultText({
  installation,
  fallback,
  shownDefault,
  words = plainText,
}: ProjectSetting<unknown>): string {
  if (installation) return 'the installation’s default';
  const value = shownDefault ?? (fallback === undefined ? '' : words(fallback));
  return value === '' ? 'none' : `${value} (default)`;
}

function plainText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return Array.isArray(value) ? value.join(', ') : String(value);
}

function optionsOf(setting: ProjectSetting<unknown>): Option[] {
  const { flag, help, helpNo } = setting;
  if (helpNo !== undefined) return [new Option(flag, help), new Option(flag.replace('--', '--no-'), helpNo)];
  return [new Option(flag, `${help} (${valueText(setting)})`).argParser(readerOf(setting))];
}

/** Special values of an option: `` `none`, `default`: the installation’s ``. */
function valueText({
  reset = 'default',
  empty,
  installation,
  fallback,
  shownDefault,
}: ProjectSetting<unknown>): string {
  const meaning = installation ? 'the installation’s default' : (shownDefault ?? (plainText(fallback) || 'none'));
  return `${empty === undefined ? '' : `\`${empty}\`, `}\`${reset}\`: ${meaning}`;
}

/** A list grows with each time that the option is given. */
function readerOf({ read, reset = 'default', empty }: ProjectSetting<unknown>) {
  return (value: string, before: unknown): unknown => {
    if (value === reset) return RESET;
    if (value === empty) return [];
    const { success, data, error } = read.safeParse(value);
    if (!success) throw new InvalidArgumentError(`It ${error.issues[0]?.message}, or ${reset}.`);
    return Array.isArray(data) && Array.isArray(before) ? [...before, ...data] : data;
  };
}
