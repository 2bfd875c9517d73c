import { codeOf } from '@docent/base/thrown';
import { Refused } from '@docent/base/refused';

/** Where a server should listen, and the settings for it. */
export interface ListenAt {
  host: string;
  port: number | undefined;
  hostSetting: string;
  portSetting: string;
}

/** Why an address cannot be had, with the setting to change; any other error as it is. */
export function listenRefused(err: unknown, { host, port, hostSetting, portSetting }: ListenAt): unknown {
  const reasons: Record<string, string> = {
    EADDRINUSE: `Port ${port} on ${host} is in use by another program. Choose another port with ${portSetting}.`,
    EACCES: `This user is not allowed to use port ${port} on ${host}. Choose another port with ${portSetting}.`,
    EADDRNOTAVAIL: `${host} is not an address of this machine. Set ${hostSetting}.`,
    ENOTFOUND: `${host} is not an address of this machine. Set ${hostSetting}.`,
  };
  const reason = reasons[codeOf(err) ?? ''];
  return reason ? new Refused(reason, { cause: err }) : err;
}
