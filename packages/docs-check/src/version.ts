import manifest from '../package.json' with { type: 'json' };

/** Of this package; the server's packages have the same. */
export const VERSION = manifest.version;
