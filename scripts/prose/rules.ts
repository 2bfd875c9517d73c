/** Sentences above this many words are an error. Aim at 25. */
export const MAX_SENTENCE_WORDS = 35;
/** Words of prose on a page; reference pages have no limit. */
export const MAX_PAGE_WORDS = 1_500;

/** Forbidden phrases, and what to write instead. */
export const FORBIDDEN: readonly { pattern: RegExp; instead: string }[] = [
  { pattern: /\b(?:is|are|was|were|be|being|been) told\b/i, instead: 'say what the program returns, shows or reports' },
  { pattern: /\b(?:tells?|told) of\b/i, instead: 'use "reports" or "notifies"' },
  { pattern: /\b(?:some|no|any)body\b/i, instead: 'name the actor' },
  { pattern: /\bby (?:it|them)sel(?:f|ves)\b/i, instead: 'use "automatically" or "included"' },
  { pattern: /\bgo(?:es)? on where\b/i, instead: 'use "resumes where"' },
  { pattern: /\blet in with\b/i, instead: 'use "authenticated with"' },
  { pattern: /\bstands? in for\b|\bstands? for itself\b/i, instead: 'use "replaces" or "is stored in"' },
  { pattern: /\bl(?:ie|ies|ay) (?:in|at|there|where)\b/i, instead: 'use "is in" or "is stored in"' },
  { pattern: /\bgoes on\b(?! to\b)/i, instead: 'use "continues"' },
  { pattern: /\b(?:anew|of before)\b/i, instead: 'use "again" or "previous"' },
  { pattern: /\b(?:cannot|can not|could not) be told\b/i, instead: 'use "is unknown" or "cannot be determined"' },
  { pattern: /\bSay (?:which|--)/, instead: 'use "Specify", "Choose" or "Use"' },
  { pattern: /\bis in order\b|\bare in order\b/i, instead: 'use "is expected"' },
  { pattern: /\bbelongs? into\b/i, instead: 'use "belongs in"' },
  { pattern: /\boutlived\b|\bwhat is over\b/i, instead: 'use "expired"' },
  { pattern: /\bupkeep\b/i, instead: 'use "maintenance"' },
  { pattern: /\bthe place (?:of|in) a queue\b/i, instead: 'use "position"' },
  { pattern: /\bof its own mind\b/i, instead: 'use "overrides the default"' },
  { pattern: /\bgives? back\b/i, instead: 'use "returns"' },
  { pattern: /\bby hand\b/i, instead: 'use "manually" or "in your own code"' },
  { pattern: /\bfor ever\b/i, instead: 'use "forever" or "indefinitely"' },
  { pattern: /\bin earnest\b/i, instead: 'use "in production"' },
  { pattern: /\bsay so\b|\bsays so\b/i, instead: 'say which message, event or field reports it' },
  { pattern: /\bwhoever\b|\bwhomever\b|\bwherever\b/i, instead: 'name the actor or the place' },
  { pattern: /\bit is so\b|\bas it stands\b|\bhow it stands\b/i, instead: 'use "status" or "state"' },
  { pattern: /\bseldom\b/i, instead: 'use "rarely"' },
  { pattern: /\bother way round\b/i, instead: 'use "other way around"' },
  { pattern: /\b(?:it|that) is none\b/i, instead: 'use "it is not one" or "invalid"' },
  { pattern: /(?<!\d )\bsome \d/i, instead: 'use "about"' },
  { pattern: /\bonce more\b/i, instead: 'use "again"' },
  { pattern: /\ball the same(?=[.:;,])/i, instead: 'use "anyway"' },
  { pattern: /\bkept no longer\b/i, instead: 'use "expired"' },
  { pattern: /\bwho\b[^.;:]{0,80}\bwhich\b/i, instead: 'split the chain of "who … which" into two sentences' },
];
