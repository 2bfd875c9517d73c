/** Writes the page of an installation's settings from `SETTINGS` in src/config/config.ts. With `--check` it writes nothing: see {@link writeGenerated}. */
import { SETTINGS } from '../../src/config/config.ts';
import { defaultWords, type Setting } from '../../src/config/setting.ts';
import { writeGenerated } from './generated-files.ts';

await writeGenerated({ 'docs/reference/settings.mdx': page(Object.values(SETTINGS)) });

function page(settings: readonly Setting<unknown>[]): string {
  const groups = Map.groupBy(settings, ({ group }) => group);
  return `---
title: Settings
description: Every environment variable that Docent reads, and what happens without it.
---

{/* Generated from src/config by \`npm run generate\`. Do not edit. */}

Settings are environment variables. \`docent start\` needs none of them. An empty variable counts as absent; numbers are whole
numbers; switches are \`on\` or \`off\`. When something is wrong, the process does not start and names every problem at once. A
variable that begins with \`DOCENT_\` and means nothing is reported in the log.

${[...groups].map(([group, members]) => section(group, members)).join('\n\n')}

## Temporal

Without one of the first three, \`docent start\` brings its own Temporal server. The names and values are those of
[Temporal's environment configuration](https://docs.temporal.io/develop/environment-configuration).

| Variable | Meaning | Default |
|---|---|---|
| \`TEMPORAL_ADDRESS\` | \`host:port\` of a Temporal server. | the embedded Temporal |
| \`TEMPORAL_CONFIG_FILE\` | A configuration file that says where the server is. | none |
| \`TEMPORAL_PROFILE\` | The profile in the configuration file. | \`default\` |
| \`TEMPORAL_NAMESPACE\` | The namespace. It must exist. | \`default\` |
| \`TEMPORAL_API_KEY\` | A key for Temporal Cloud. Turns TLS on. Or TEMPORAL_API_KEY_FILE, the path of a file that holds it, which is read again while Docent runs. | none |
| \`TEMPORAL_TLS\` | \`true\` or \`false\`. | \`false\` without a key or certificate |
| \`TEMPORAL_TLS_CLIENT_CERT_PATH\`, \`TEMPORAL_TLS_CLIENT_KEY_PATH\` | Files with a client certificate and its key. | none |
| \`TEMPORAL_TLS_SERVER_CA_CERT_PATH\` | A file with the authority that signed the server's certificate. | those of the system |

## OpenTelemetry

Metrics and traces go to the collector that \`OTEL_EXPORTER_OTLP_ENDPOINT\` names: see [Traces](/operate/traces#turn-them-on) for this and OpenTelemetry's
other variables.

## Secrets in files

\`DATABASE_URL_FILE\`, \`DOCENT_OPERATOR_TOKEN_FILE\`, \`ANTHROPIC_API_KEY_FILE\`, \`OPENAI_API_KEY_FILE\` and
\`OPENAI_COMPATIBLE_API_KEY_FILE\` name files that hold the value of the variable without \`_FILE\`.

## The command line

The commands \`project\`, \`key\` and \`job\` read \`DOCENT_URL\`, \`DOCENT_API_KEY\`, \`DOCENT_OPERATOR_TOKEN\` and \`DOCENT_HOME\`: see
[which server](/reference/cli#which-server).

\`DOCENT_BACKUP_PASSPHRASE\` is the passphrase of the [keys in a backup](/operate/backups#keys), for \`docent backup\` and
\`docent restore\`.
`;
}

function section(group: string, settings: readonly Setting<unknown>[]): string {
  const rows = settings.map((setting) => `| \`${setting.env}\` | ${setting.about} | ${defaultWords(setting)} |`);
  return `## ${group}\n\n| Variable | Meaning | Default |\n|---|---|---|\n${rows.join('\n')}`;
}
