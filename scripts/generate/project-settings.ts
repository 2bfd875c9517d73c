/**
 * Writes the settings of a project from src/config/project-settings.ts into openapi.yaml and the docs. With
 * `--check` it writes nothing: see {@link writeGenerated}.
 */
import { Document, isScalar, visit } from 'yaml';
import { z } from 'zod';
import { DECLARED } from '../../src/config/project-settings.ts';
import type { ProjectSetting } from '../../src/config/project-setting.ts';
import { defaultText } from '../../src/config/setting.ts';
import { formatted, textOf, withSection, writeGenerated } from './generated-files.ts';

const NOTICE = 'Generated from src/config/project-settings.ts by `npm run generate`. Do not edit.';
const CONTRACT = 'openapi.yaml';
const GUIDE = 'docs/guides/projects.mdx';
const COMMANDS = 'docs/reference/cli-projects.mdx';
/** The content of the dashboard's form. */
const FORM = 'packages/dashboard/src/pages/settings/fields.json';

await writeGenerated({
  [CONTRACT]: await formatted(
    CONTRACT,
    withSection(
      await textOf(CONTRACT),
      `    # ${NOTICE}\n`,
      /^    # End of the generated section\.$/m,
      yaml(schemas()).replaceAll(/^(?=.)/gm, '    '),
    ),
  ),
  [GUIDE]: withTable(
    await textOf(GUIDE),
    '| Setting | Meaning | Default |\n|---|---|---|\n',
    DECLARED.map(([name, setting]) => `| \`${name}\` | ${setting.about} | ${defaultOf(setting)} |\n`),
  ),
  [COMMANDS]: withTable(
    await textOf(COMMANDS),
    '| Option | Meaning | Back to the default |\n|---|---|---|\n',
    DECLARED.map(([, setting]) => `| ${optionsOf(setting)} | ${setting.about} | ${resetOf(setting)} |\n`),
  ),
  [FORM]: await formatted(FORM, JSON.stringify(DECLARED.map(([name, setting]) => ({ name, ...fieldOf(setting) })))),
});

/** One field of the dashboard's form. */
function fieldOf(setting: ProjectSetting<unknown>) {
  const {
    type,
    enum: values,
    items,
    minimum,
    maximum,
    maxItems,
    examples,
  } = schemaOf(setting) as unknown as {
    type: [string, 'null'];
    enum?: unknown[];
    items?: { enum?: string[] };
    minimum?: number;
    maximum?: number;
    maxItems?: number;
    examples?: unknown[];
  };
  return {
    type: type[0],
    default: shownDefaultOf(setting),
    isInstallations: setting.installation ? true : undefined,
    options: (values ?? items?.enum)?.filter((value) => value !== null),
    minimum,
    maximum,
    maxItems,
    example: examples?.[0],
  };
}

/** A page's table between two comments. */
function withTable(page: string, heading: string, rows: readonly string[]): string {
  const comment = `{/* ${NOTICE} */}\n`;
  return withSection(page, comment, /^\{\/\* End of the generated table\. \*\/\}$/m, `\n${heading}${rows.join('')}\n`);
}

function defaultOf(setting: ProjectSetting<unknown>): string {
  const { installation } = setting;
  if (installation) return `\`${installation.env}\` (${defaultText(installation)})`;
  return typeof setting.fallback === 'boolean' ? (setting.fallback ? 'yes' : 'no') : defaultText(setting);
}

/** Without names of variables and signs of JSON. */
function shownDefaultOf(setting: ProjectSetting<unknown>): string {
  const { installation, fallback } = setting;
  if (installation) return defaultText(installation).replaceAll('`', '');
  if (Array.isArray(fallback) && fallback.length > 0) return fallback.join(', ');
  return defaultOf(setting).replaceAll('`', '');
}

function optionsOf({ flag, helpNo }: ProjectSetting<unknown>): string {
  return helpNo === undefined ? `\`${flag}\`` : `\`${flag}\`, \`${flag.replace('--', '--no-')}\``;
}

function resetOf({ helpNo, reset = 'default' }: ProjectSetting<unknown>): string {
  return helpNo === undefined ? `\`${reset}\`` : '–';
}

/** With lists of plain values on one line. */
function yaml(value: object): string {
  const document = new Document(value);
  visit(document, {
    Seq(_, list) {
      list.flow = list.items.every((item) => isScalar(item));
    },
  });
  return document.toString({ lineWidth: 115 });
}

function schemas() {
  return {
    ProjectSettings: {
      type: 'object',
      description: 'Settings that differ from the defaults of the server. Null resets a setting.',
      properties: Object.fromEntries(DECLARED.map(([name, setting]) => [name, schemaOf(setting)])),
    },
    CompleteProjectSettings: {
      type: 'object',
      description: 'Every setting. Null if the default applies.',
      allOf: [{ $ref: '#/components/schemas/ProjectSettings' }],
      required: DECLARED.map(([name]) => name),
    },
  };
}

function schemaOf(setting: ProjectSetting<unknown>) {
  const { about, details, example, read } = setting;
  const { $schema: _, type, enum: values, ...bounds } = z.toJSONSchema(read, { override: withoutEscapedSlashes });
  const description = [about, ...(details === undefined ? [] : [details]), `Null: ${defaultOf(setting)}.`].join(' ');
  return {
    type: [type, 'null'],
    ...(values && { enum: [...values, null] }),
    // The links are those of the documentation.
    description: description.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1'),
    ...bounds,
    ...(example !== undefined && { examples: [example] }),
  };
}

function withoutEscapedSlashes({ jsonSchema }: { jsonSchema: { pattern?: string } }): void {
  if (jsonSchema.pattern !== undefined) jsonSchema.pattern = jsonSchema.pattern.replaceAll('\\/', '/');
}
