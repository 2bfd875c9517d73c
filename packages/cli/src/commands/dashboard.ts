import { Command } from 'commander';
import { answerOf } from '@docent/base/terminal/api-answer';
import { print } from '@docent/base/terminal/terminal-text';
import { openInBrowser } from '../open-in-browser.ts';
import { serverOf, withServer } from '../server.ts';

/** `docent dashboard` */
export function dashboardCommand(): Command {
  return withServer(new Command('dashboard'))
    .description('open the dashboard in the browser, signed in (requires the operator token)')
    .option('--no-open', 'print the link instead; it works once, within 10 minutes')
    .addHelpText(
      'after',
      `
The link signs its first visitor in as the operator. Do not share it.

Examples:
  $ docent dashboard
  $ docent dashboard --no-open --url https://docent.example.com`,
    )
    .action(openDashboard);
}

async function openDashboard(options: { open: boolean; json?: boolean }, command: Command): Promise<void> {
  const { client, url } = serverOf(command);
  const link = await answerOf(url, client.POST('/v1/sign-in-links'));
  if (options.json || !options.open) return print(options.json, link, () => link.url);
  // Others on this machine may see the link: it works once.
  const isOpened = await openInBrowser(link.url);
  print(false, link, () =>
    isOpened
      ? 'The dashboard opens in your browser.'
      : `Docent could not open a browser. Open this link within 10 minutes:\n${link.url}`,
  );
}
