import { openSync, closeSync } from 'node:fs';

/** Named points at which a process can be made to die, so that tests can prove what survives. */
export type FaultPoint =
  | 'workflow-started'
  | 'turn-opened'
  | 'model-answered'
  | 'model-recorded'
  | 'tools-run'
  | 'tools-recorded'
  | 'commit-pushed'
  | 'pull-request-saved'
  | 'publish-recorded'
  | 'turn-finished'
  | 'wal-appended'
  | 'wal-synced'
  | 'seal-written'
  | 'seal-renamed'
  | 'seal-committed'
  | 'fold-written'
  | 'fold-committed'
  | 'compact-written'
  | 'compact-committed'
  | 'rebuild-written'
  | 'rebuild-committed'
  | 'erase-written'
  | 'erase-committed';

let armed: { point: string; marker: string | undefined } | undefined;

/**
 * Arms one point. `spec` is `<point>` (dies each time) or `<point>@<file>` (dies once: the process that manages to create
 * the file). For tests only: the settings read it from a DOCENT_TEST_ variable.
 */
export function armFault(spec: string | undefined): void {
  if (!spec) return;
  const at = spec.indexOf('@');
  armed = at < 0 ? { point: spec, marker: undefined } : { point: spec.slice(0, at), marker: spec.slice(at + 1) };
}

/** Dies like `kill -9` if this point is armed; otherwise does nothing. */
export function faultPoint(point: FaultPoint): void {
  if (armed?.point !== point) return;
  if (armed.marker !== undefined) {
    try {
      closeSync(openSync(armed.marker, 'wx'));
    } catch {
      return; // Somebody died here already: once is enough.
    }
  }
  process.kill(process.pid, 'SIGKILL');
}
