import GithubSlugger from 'github-slugger';

/** Gives the ids of one page's headings in turn; a text that comes again gets a number. */
export function slugger(): (text: string) => string {
  const slugs = new GithubSlugger();
  return (text) => slugs.slug(text);
}

/** Letters and digits alone: equal for the forms that different sites give to the id of one heading. */
export function bareAnchor(anchor: string): string {
  return anchor.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}
