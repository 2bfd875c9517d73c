import { Command } from 'commander';
import { answerOf } from '@docent/base/terminal/api-answer';
import { EXIT } from '@docent/base/terminal/failures';
import { print, table } from '@docent/base/terminal/terminal-text';
import { serverOf, withServer } from '../server.ts';

const PARTS = [
  'temporal',
  'database',
  'disk',
  'model',
  'hosts',
  'processes',
  'queue',
  'analytics',
  'webhooks',
  'retention',
] as const;

/** `docent health` */
export function healthCommand(): Command {
  return withServer(new Command('health'))
    .description('show the health of each part of the installation (requires the operator token)')
    .addHelpText('after', '\nExit codes: 0 healthy, 1 a required part is down')
    .action(health);
}

async function health({ json }: { json?: boolean }, command: Command): Promise<void> {
  const { client, url } = serverOf(command);
  const found = await answerOf(url, client.GET('/v1/health'));
  print(json, found, () =>
    table(
      ['PART', 'STATUS', 'WHAT'],
      PARTS.map((part) => [part, found[part].status, found[part].message]),
    ),
  );
  if (found.status === 'down') process.exitCode = EXIT.failed;
}
