/**
 * Writes the page of an installation's settings from `SETTING_GROUPS` in src/config/config.ts. With `--check` it
 * writes nothing: see {@link writeGenerated}.
 */
import { SETTING_GROUPS } from '../../src/config/config.ts';
import { defaultText, type Setting } from '../../src/config/setting.ts';
import { writeGenerated } from './generated-files.ts';

await writeGenerated({ 'docs/reference/settings.mdx': page() });

function page(): string {
  return `---
title: Settings
description: Every environment variable that Docent reads, and its default.
---

{/* Generated from src/config by \`npm run generate\`. Do not edit. */}

You set Docent's settings as environment variables. \`docent start\` needs none of them. An empty variable counts as not set. Numbers
are whole numbers, and switches are \`on\` or \`off\`. If a setting is invalid, the process does not start and reports every
problem at once. Unknown variables that begin with \`DOCENT_\` are reported in the log.

${Object.entries(SETTING_GROUPS)
  .map(([group, settings]) => section(group, Object.values(settings)))
  .join('\n\n')}

## Temporal

If you set none of the first three, \`docent start\` uses its own Temporal server. Names and values follow
[Temporal's environment configuration](https://docs.temporal.io/develop/environment-configuration).

| Variable | Meaning | Default |
|---|---|---|
| \`TEMPORAL_ADDRESS\` | \`host:port\` of a Temporal server. | the embedded Temporal |
| \`TEMPORAL_CONFIG_FILE\` | A configuration file with the address of the server. | none |
| \`TEMPORAL_PROFILE\` | The profile in the configuration file. | \`default\` |
| \`TEMPORAL_NAMESPACE\` | The namespace. It must exist. | \`default\` |
| \`TEMPORAL_API_KEY\` | A key for Temporal Cloud. Turns TLS on. Or TEMPORAL_API_KEY_FILE, the path of a file with the key. Docent reads the file again while it runs. | none |
| \`TEMPORAL_TLS\` | \`true\` or \`false\`. | \`false\` without a key or certificate |
| \`TEMPORAL_TLS_CLIENT_CERT_PATH\`, \`TEMPORAL_TLS_CLIENT_KEY_PATH\` | Files with a client certificate and its key. | none |
| \`TEMPORAL_TLS_SERVER_CA_CERT_PATH\` | A file with the authority that signed the server's certificate. | the system's |

## OpenTelemetry

Set \`OTEL_EXPORTER_OTLP_ENDPOINT\` to send [metrics](/operate/metrics) and [traces](/operate/traces#turn-them-on) to your collector.

## Secrets in files

\`DATABASE_URL_FILE\`, \`DOCENT_OPERATOR_TOKEN_FILE\`, \`ANTHROPIC_API_KEY_FILE\`, \`OPENAI_API_KEY_FILE\` and
\`OPENAI_COMPATIBLE_API_KEY_FILE\` name files that hold the value of the variable without \`_FILE\`.

## The command line

Commands read \`DOCENT_URL\`, \`DOCENT_API_KEY\`, \`DOCENT_OPERATOR_TOKEN\`, \`DOCENT_CONTEXT\` and \`DOCENT_HOME\` to
[choose a server](/reference/cli#which-server). \`docent backup\` and \`docent restore\` read \`DOCENT_BACKUP_PASSPHRASE\`, the
passphrase of the [keys in a backup](/operate/backups#keys).
`;
}

function section(group: string, settings: readonly Setting<unknown>[]): string {
  const rows = settings.map((setting) => `| \`${setting.env}\` | ${setting.about} | ${defaultText(setting)} |`);
  return `## ${group}\n\n| Variable | Meaning | Default |\n|---|---|---|\n${rows.join('\n')}`;
}
