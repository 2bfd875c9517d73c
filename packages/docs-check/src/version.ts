import manifest from '../package.json' with { type: 'json' };

/** The version of this package; the server's packages have the same. */
export const VERSION = manifest.version;
