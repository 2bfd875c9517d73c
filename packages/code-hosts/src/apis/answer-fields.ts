import { z } from 'zod';

/** A host's own number of a repository or a pull request. */
export const number = z.int().positive();

/** `org/repo`, `group/sub/repo`: it becomes part of URLs. */
export const repositoryPath = z.string().regex(/^[^/\s]+(?:\/[^/\s]+)+$/);

/** A page for people: shown as a link. */
export const pageUrl = z.url({ protocol: /^https?$/ });

/** The same if it may be absent or of any type: the reporter of a check chooses its page. */
export const pageUrlOrNull = pageUrl
  .nullish()
  .catch(null)
  .transform((url) => url ?? null);
