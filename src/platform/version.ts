import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** Of this Docent, as its package says it. */
export const VERSION = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))).version;
