import type { Readiness } from '../../src/api/services.ts';

/** Everything can be reached, and nothing is damaged. */
export const READY: Readiness = {
  temporal: true,
  database: true,
  analyticsFolder: true,
  bucket: null,
  damagedFiles: 0,
  setAsideFiles: 0,
};
