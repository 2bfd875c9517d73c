import { z } from 'zod';
import { RULES } from '../rules.ts';
import { isAboutChecks } from '../problem.ts';

export const LEVELS = ['off', 'on', 'notice', 'warning', 'error'] as const;
export type Level = (typeof LEVELS)[number];

const globs = z.array(z.string().min(1).max(500)).max(200);

const fieldNames = z.array(z.string().min(1).max(200)).max(50);

const rules = Object.fromEntries(
  Object.entries(RULES).map(([code, { summary, severity, needs }]) => {
    // Reports of skipped checks may be made more severe, but not turned off.
    const levels = LEVELS.filter((level) => !(isAboutChecks({ code }) && level === 'off'));
    const field = z.enum(levels).optional();
    const asARule = {
      settings: `off; ${severity} when enabled`,
      linters: 'the severity that the linter reports, with --linters',
    };
    return [code, field.describe(`${summary} Default: ${needs ? asARule[needs] : severity}.`)];
  }),
);

/** How external links are checked. */
export const externalForm = z.strictObject({
  check: z
    .boolean()
    .optional()
    .describe('Check external links in every `docent check`, as with --external. Default: false.'),
  exclude: globs
    .optional()
    .describe(
      'Addresses to skip, as globs of hosts (`*.example.com`), or of hosts and paths (`github.com/acme/*/edit/**`).',
    ),
  acceptStatus: z
    .array(z.int().min(200).max(999))
    .max(50)
    .optional()
    .describe('Statuses besides 2xx to accept, such as 403.'),
  timeoutSeconds: z.int().min(1).max(120).optional().describe('Timeout per link. Default: 15.'),
  minutes: z.int().min(1).max(240).optional().describe('Total time limit for all links. Default: 10.'),
});

/** The format of `.docent.json`, or of the key `docent` in package.json. */
export const settingsForm = z
  .strictObject({
    $schema: z.string().max(500).optional().describe('Where this schema is, for editors.'),
    rules: z
      .strictObject(rules)
      .optional()
      .describe('By code: `off`, another severity, or `on` for the default severity.'),
    include: globs
      .optional()
      .describe(
        'Globs, relative to the folder of this file: only problems in these files are reported. All files are read.',
      ),
    exclude: globs
      .optional()
      .describe('Globs, relative to the folder of this file: problems in these files are not reported.'),
    baseline: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .describe('The file of known problems, relative to the folder of this file. Default: .docent-baseline.json.'),
    pluginsWithoutPages: z
      .array(z.string().min(1).max(200))
      .max(100)
      .optional()
      .describe(
        'Plugins and hooks that create no pages or files and change no links during the build, named as in `not-checked` messages.',
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
        'Required front matter fields of every page, or an object that maps globs (relative to the ' +
          'folder of this file) to fields. Enables required-front-matter.',
      ),
    external: z
      .union([z.boolean(), externalForm])
      .optional()
      .describe('Whether and how docent check checks external links. Jobs do not check them.'),
    helpUrl: z
      .url({ protocol: /^https?$/ })
      .max(500)
      .optional()
      .describe(
        'Where the docs of your Docent are, such as https://docent.example.com/docs: reports link to their rules.',
      ),
  })
  .describe('Configures how docent check and Docent jobs check the docs of this repository.');

export type SettingsForm = z.infer<typeof settingsForm>;

/** The JSON Schema of `.docent.json`, for editors. */
export function settingsSchema(): Record<string, unknown> {
  return z.toJSONSchema(settingsForm, { target: 'draft-07' });
}
