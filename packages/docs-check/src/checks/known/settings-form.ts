import { z } from 'zod';
import { RULES } from '../rules.ts';
import { isAboutChecks } from '../problem.ts';

export const LEVELS = ['off', 'on', 'notice', 'warning', 'error'] as const;
export type Level = (typeof LEVELS)[number];

const globs = z.array(z.string().min(1).max(500)).max(200);

const fieldNames = z.array(z.string().min(1).max(200)).max(50);

const rules = Object.fromEntries(
  Object.entries(RULES).map(([code, { summary, severity, needs }]) => {
    // What says how much was checked may be made graver, and not be turned off.
    const levels = LEVELS.filter((level) => !(isAboutChecks({ code }) && level === 'off'));
    const field = z.enum(levels).optional();
    const asARule = { settings: `off, and ${severity} where it is on`, linters: 'as it says itself, with --linters' };
    return [code, field.describe(`${summary} As a rule: ${needs ? asARule[needs] : severity}.`)];
  }),
);

/** How external links are checked. */
export const externalForm = z.strictObject({
  check: z
    .boolean()
    .optional()
    .describe(
      'Whether each `docent check` asks, as with --external. Default: false, so that the rest is for --external.',
    ),
  exclude: globs
    .optional()
    .describe(
      'Addresses that are not asked, as globs: of hosts (`*.example.com`), or of hosts and paths (`github.com/acme/*/edit/**`).',
    ),
  acceptStatus: z
    .array(z.int().min(200).max(999))
    .max(50)
    .optional()
    .describe('Statuses besides 2xx that are fine, such as 403.'),
  timeoutSeconds: z.int().min(1).max(120).optional().describe('What an answer may take. Default: 15.'),
  minutes: z.int().min(1).max(240).optional().describe('What all of them may take. Default: 10.'),
});

/** What `.docent.json`, or the key `docent` of package.json, may say. */
export const settingsForm = z
  .strictObject({
    $schema: z.string().max(500).optional().describe('Where this schema is, for editors.'),
    rules: z
      .strictObject(rules)
      .optional()
      .describe('By code: `off`, another severity, or `on` for the severity that the problem has by itself.'),
    include: globs
      .optional()
      .describe('Globs, from the folder of this file: only problems in these files are reported. All are read.'),
    exclude: globs
      .optional()
      .describe('Globs, from the folder of this file: problems in these files are not reported.'),
    baseline: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .describe('The file of known problems, from the folder of this file. Default: .docent-baseline.json.'),
    pluginsWithoutPages: z
      .array(z.string().min(1).max(200))
      .max(100)
      .optional()
      .describe(
        'Plugins and hooks of the site that make no pages and files while it is built, as a `not-checked` names them.',
      ),
    requiredFrontMatter: z
      .union([
        fieldNames,
        z
          .record(z.string().min(1).max(500), fieldNames)
          .refine((globs) => Object.keys(globs).length <= 100, 'more than 100 globs'),
      ])
      .optional()
      .describe(
        'Fields that the front matter of every page has to have; or, by globs from the folder of this file, which pages which. Turns required-front-matter on.',
      ),
    external: z
      .union([z.boolean(), externalForm])
      .optional()
      .describe('Whether, and how, docent check asks the servers of external links. Jobs ask none.'),
    helpUrl: z
      .url({ protocol: /^https?$/ })
      .max(500)
      .optional()
      .describe(
        'Where the docs of your Docent are, such as https://docent.example.com/docs: reports link to their rules.',
      ),
  })
  .describe('How docent check, and the jobs of Docent, check the docs of this repository.');

export type SettingsForm = z.infer<typeof settingsForm>;

/** The JSON Schema of `.docent.json`, which editors complete and check by. */
export function settingsSchema(): Record<string, unknown> {
  return z.toJSONSchema(settingsForm, { target: 'draft-07' });
}
