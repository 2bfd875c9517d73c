/** `warning`: it works, and will not for ever, or nobody can tell. `wrong`: somebody has to do something. */
export type FindingStatus = 'ok' | 'warning' | 'wrong';

/** One look at one thing. */
export interface Finding {
  /** Stays the same: for programs. */
  check: string;
  status: FindingStatus;
  what: string;
  /** What to do; null where nothing is. */
  todo: string | null;
  /** The section of the documentation, as a path on the server; null where nothing is to be done. */
  docs: string | null;
}

export const ok = (check: string, what: string): Finding => ({ check, status: 'ok', what, todo: null, docs: null });

type Advice = { what: string; todo: string; docs: string };
export const warning = (check: string, advice: Advice): Finding => ({ check, status: 'warning', ...advice });
export const wrong = (check: string, advice: Advice): Finding => ({ check, status: 'wrong', ...advice });

export const DOCS = {
  starting: '/docs/operate/troubleshooting#starting',
  upgrade: '/docs/operate/upgrades',
  restore: '/docs/operate/backups#restore',
  save: '/docs/operate/backups#what-to-save',
  folder: '/docs/operate/analytics-storage#a-folder',
  bucket: '/docs/operate/analytics-storage#when-the-bucket-is-away',
  temporal: '/docs/operate/own-services#temporal',
  roles: '/docs/operate/production#start-the-roles',
  sizing: '/docs/operate/production#sizing',
  damage: '/docs/operate/failures-and-recovery#damaged-files',
  unknownFiles: '/docs/operate/failures-and-recovery#unknown-files',
  hosts: '/docs/guides/code-hosts',
  security: '/docs/operate/security',
} as const;

/** Decimal, as disks are sold. */
const GIGABYTE = 1e9;
const SHORT_BYTES = 2 * GIGABYTE;
const FULL_BYTES = 0.1 * GIGABYTE;

/** What a disk has free. */
export function roomFinding(check: string, folder: string, freeBytes: number): Finding {
  const what = `${folder}: ${(freeBytes / GIGABYTE).toFixed(1)} GB free.`;
  const advice = { what, todo: 'Free space on this disk, or move the folder to a larger one.', docs: DOCS.sizing };
  if (freeBytes < FULL_BYTES) return wrong(check, advice);
  return freeBytes < SHORT_BYTES ? warning(check, advice) : ok(check, what);
}
