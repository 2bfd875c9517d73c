import path from 'node:path';

/** The name of the index of a file of presence, which lies beside it: see `counts/presence-index`. */
export const indexOf = (presence: string): string => `${presence.slice(0, -path.extname(presence).length)}.index`;
