import { openSync, closeSync } from 'node:fs';

/** Named points at which a process can be made to die, so that tests can prove what survives. */
export type FaultPoint =
  | 'job-accepted'
  | 'job-changed'
  | 'wake-due'
  | 'run-noted'
  | 'event-stored'
  | 'event-taken'
  | 'code-gathered'
  | 'host-event-claimed'
  | 'host-event-consumed'
  | 'host-polled'
  | 'host-message-taken'
  | 'host-reply-posted'
  | 'run-started'
  | 'run-ended'
  | 'key-rotated'
  | 'token-made'
  | 'link-taken'
  | 'signed-in'
  | 'session-rotated'
  | 'reader-heard'
  | 'report-noted'
  | 'report-sent'
  | 'workflow-started'
  | 'attachment-inserted'
  | 'turn-opened'
  | 'turn-located'
  | 'docs-checked'
  | 'model-answered'
  | 'model-recorded'
  | 'tools-run'
  | 'tools-recorded'
  | 'commit-pushed'
  | 'pull-request-saved'
  | 'publish-recorded'
  | 'turn-finished'
  | 'rest-looked'
  | 'webhook-claimed'
  | 'webhook-sent'
  | 'webhook-recorded'
  | 'webhook-started'
  | 'request-claimed'
  | 'request-carried-out'
  | 'wal-appended'
  | 'wal-synced'
  | 'seal-written'
  | 'seal-renamed'
  | 'seal-committed'
  | 'merge-written'
  | 'merge-committed'
  | 'compact-written'
  | 'compact-committed'
  | 'index-written'
  | 'index-made'
  | 'rebuild-written'
  | 'rebuild-committed'
  | 'erase-written'
  | 'erase-committed'
  | 'repair-written'
  | 'repair-committed'
  | 'recover-listed'
  | 'import-written'
  | 'log-taken-over'
  | 'deletions-noted'
  | 'files-deleted'
  | 'folder-identity-written'
  | 'move-stored'
  | 'move-identity-stored'
  | 'move-folder-renamed'
  | 'move-committed'
  | 'folder-claimed'
  | 'backup-logs-held'
  | 'backup-moment-fixed'
  | 'backup-tables-written'
  | 'restore-begun'
  | 'restore-read'
  | 'restore-committed';

interface Armed {
  signal: 'SIGKILL' | 'SIGSTOP';
  marker: string | undefined;
}

let armed: ReadonlyMap<string, Armed> = new Map();

/**
 * Arms points, separated by commas: `<point>` dies there each time, `<point>@<file>` once (the process that
 * manages to create the file), and `stop:<point>@<file>` is paused there instead, as by `kill -STOP`. For
 * tests only: see the setting DOCENT_TEST_FAULT.
 */
export function armFault(spec: string | undefined): void {
  const points = (spec ?? '').split(',').flatMap((one): [string, Armed][] => {
    const [, stop, point, marker] = /^(stop:)?([a-z-]+)(?:@(.+))?$/.exec(one) ?? [];
    return point === undefined ? [] : [[point, { signal: stop ? 'SIGSTOP' : 'SIGKILL', marker }]];
  });
  armed = new Map(points);
}

/** Dies like `kill -9` (or pauses) if this point is armed; otherwise does nothing. */
export function faultPoint(point: FaultPoint): void {
  const fault = armed.get(point);
  if (!fault) return;
  if (fault.marker !== undefined) {
    try {
      closeSync(openSync(fault.marker, 'wx'));
    } catch {
      return; // Somebody died here already: once is enough.
    }
  }
  process.kill(process.pid, fault.signal);
}
