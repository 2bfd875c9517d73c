import { styleText } from 'node:util';
import { bold } from '../terminal-text.ts';
import type { RunFile } from './home.ts';

export interface StartReport extends Omit<RunFile, 'home'> {
  demoRepository: string;
  /** Shown once, at the first start. */
  newKey: string | null;
  /** Signs a browser in, once; null where none could be made. */
  signInLink: string | null;
}

/** Something that the builtin model does on the demo project, whenever it is said. */
export const DEMO_PROMPT =
  'Add a page titled "Hello from Docent" at guides/hello with the text "This page was written by a job."';

/**
 * What people see when everything runs.
 * @param cli whether a shell finds `docent`, and what to say to it about the home
 */
export function describeStart(report: StartReport, cli: { isLinked: boolean; suffix: string }): string {
  const { apiUrl, temporalUiUrl, temporalAddress, projectId, newKey, signInLink } = report;
  const docent = (words: string) => `docent ${words}${cli.suffix}`;
  const lines = [
    '',
    styleText('green', '  Docent runs.'),
    '',
    `  API          ${bold(apiUrl)}`,
    signInLink === null
      ? `  Dashboard    ${docent('dashboard')}`
      : `  Dashboard    ${bold(signInLink)}  (signs you in, once, within 10 minutes; then: ${docent('dashboard')})`,
    `  Temporal UI  ${temporalUiUrl === null ? `that of ${temporalAddress}` : bold(temporalUiUrl)}`,
    `  Project      ${bold(projectId)}  (a git repository: ${report.demoRepository})`,
    newKey === null
      ? `  API key      shown at the first start; for another: ${docent(`key create --project ${projectId} --name NAME --scope write`)}`
      : `  API key      ${bold(newKey)}  (shown this once)`,
    '',
    ...(cli.isLinked
      ? []
      : ['  Get the command docent, in another terminal, in this folder, once:', '    npm link', '']),
    '  Start a job:',
    `    ${curl(apiUrl, projectId, newKey ?? '$DOCENT_API_KEY')}`,
    `    ${docent(`job run '${DEMO_PROMPT}'`)}`,
    '',
    '  Ctrl-C stops everything; a later start goes on where this one ended.',
    '',
  ];
  return `${lines.join('\n')}\n`;
}

function curl(apiUrl: string, projectId: string, key: string): string {
  const body = JSON.stringify({ prompt: DEMO_PROMPT });
  return (
    `curl -sS ${apiUrl}/v2/agent/${projectId}/job -H "Authorization: Bearer ${key}" ` +
    `-H 'Content-Type: application/json' -d '${body}'`
  );
}
