import type { HostAccount } from '@docent/code-hosts/events/host-event';
import { HostProblem } from '@docent/code-hosts/host-problem';
import type { HostTalk } from '@docent/code-hosts/talk';
import type { Logger } from '../../platform/log.ts';
import { effectiveSettings } from '../../store/projects/project-settings.ts';
import type { ProjectRow } from '../../store/projects/projects.ts';

export type SenderAccess = 'own' | 'allowed' | 'refused';

/**
 * What an account may ask of Docent, according to the host now. Names, roles in events and `[bot]` do not
 * count. A permission that the credential cannot read counts as none.
 * @throws HostProblem that is temporary
 */
export async function senderAccess(
  talk: HostTalk,
  account: HostAccount,
  { settings }: Pick<ProjectRow, 'settings'>,
  log: Logger,
): Promise<SenderAccess> {
  if (account.id === (await talk.ownAccount())) return 'own';
  if (effectiveSettings(settings).allowedAccounts.includes(account.id)) return 'allowed';
  try {
    return (await talk.mayWrite(account)) ? 'allowed' : 'refused';
  } catch (err) {
    if (!(err instanceof HostProblem) || err.mayPass) throw err;
    log.warn(
      { err: err.message, account: account.id },
      'a code host did not report an account’s permissions: refused its message',
    );
    return 'refused';
  }
}
