import { styleText } from 'node:util';
import { bold } from '@docent/base/terminal/terminal-text';
import type { RunFile } from './home.ts';

/** A secret: in full at a terminal, else the file that holds it. Null for none. */
export type ShownSecret = { text: string } | { file: string } | null;

export interface StartReport extends Omit<RunFile, 'home'> {
  demoRepository: string;
  logFile: string;
  /** Of the first start. */
  firstKey: ShownSecret;
  /** Signs a browser in, once; null if none could be made. */
  signInLink: ShownSecret;
}

/** A prompt that the builtin model can always carry out on the demo project. */
export const DEMO_PROMPT =
  'Add a page titled "Hello from Docent" at guides/hello with the text "This page was written by a job."';

/**
 * What people see when everything runs.
 * @param cli whether `docent` is on the PATH, and its flags for the home
 */
export function describeStart(report: StartReport, cli: { isLinked: boolean; suffix: string }): string {
  const { apiUrl, temporalUiUrl, temporalAddress, projectId, firstKey, signInLink } = report;
  const docent = (words: string) => `docent ${words}${cli.suffix}`;
  const lines = [
    '',
    styleText('green', '  Docent is running.'),
    '',
    `  API          ${bold(apiUrl)}`,
    `  Dashboard    ${dashboardLine(signInLink, docent('dashboard'))}`,
    `  Temporal UI  ${temporalUiUrl === null ? `see ${temporalAddress}` : bold(temporalUiUrl)}`,
    `  Project      ${bold(projectId)}  (a git repository: ${report.demoRepository})`,
    `  API key      ${keyLine(firstKey, docent(`key create --project ${projectId} --name NAME --scope write`))}`,
    `  Log          ${report.logFile}  (warnings also appear here; use --verbose to see everything)`,
    '',
    ...(cli.isLinked
      ? []
      : ['  To install the command docent, run this once in this folder, in another terminal:', '    npm link', '']),
    '  Start a job:',
    `    ${curl(apiUrl, projectId, inShell(firstKey))}`,
    `    ${docent(`job run '${DEMO_PROMPT}'`)}`,
    '',
    '  Press Ctrl-C to stop. Your data is kept, and the next start resumes where you left off.',
    '',
  ];
  return `${lines.join('\n')}\n`;
}

function dashboardLine(link: ShownSecret, command: string): string {
  if (link === null) return command;
  return 'text' in link
    ? `${bold(link.text)}  (sign-in link: works once, within 10 minutes; for a new one: ${command})`
    : `${command}  (or use the sign-in link in ${link.file}: works once, within 10 minutes)`;
}

function keyLine(key: ShownSecret, command: string): string {
  if (key === null) return `shown at the first start; for a new one: ${command}`;
  return 'text' in key
    ? `${bold(key.text)}  (shown only once)`
    : `in ${key.file}  (delete the file once you have the key)`;
}

function inShell(key: ShownSecret): string {
  if (key === null) return '$DOCENT_API_KEY';
  return 'text' in key ? key.text : `$(cat '${key.file}')`;
}

function curl(apiUrl: string, projectId: string, key: string): string {
  const body = JSON.stringify({ prompt: DEMO_PROMPT });
  return (
    `curl -sS ${apiUrl}/v2/agent/${projectId}/job -H "Authorization: Bearer ${key}" ` +
    `-H 'Content-Type: application/json' -d '${body}'`
  );
}
