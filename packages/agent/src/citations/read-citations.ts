/** A citation as the agent wrote it, unverified. */
export interface CitedClaim {
  /** A page of the docs, and the line that states the claim if the agent gave one. */
  page: string;
  line: number | null;
  claim: string;
  source: string;
  path: string;
  /** The beginning of a commit id, if the agent gave one. */
  commit: string | null;
  fromLine: number;
  toLine: number;
}

/** Closing words as people read them, and their citations. */
export interface ReadCitations {
  text: string;
  cited: CitedClaim[];
  /** Lines of the list that are not citations. */
  malformed: string[];
}

/** The most citations per answer. Others are malformed. */
export const MAX_CITATIONS = 200;
const MAX_LINE = 4_000;
const MAX_MALFORMED = 200;

const HEADING = /^[ \t>#*_-]*citations[ \t]*:?[ \t*_]*:?[ \t]*$/i;
const ITEM = /^[ \t>]*(?:[-*+]|\d+[.)])[ \t]+\S/;
/** `page:12 "claim" -> source:path@commit#L1-L2`; line and commit are optional. */
const CITATION =
  /^[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)?`?([^"“`]+?)`?[ \t]*["“](.*)["”][ \t]*(?:->|→|=>)[ \t]*`?([a-z0-9][a-z0-9-]{0,62}):([^#`]+)#L(\d{1,9})(?:-L?(\d{1,9}))?`?[ \t.]*$/;

/**
 * Removes the list of citations from an agent's closing words. The list is for Docent: people read the
 * verified ones. A citation counts anywhere in the text. In the list, below the line `Citations:`, any other
 * item is malformed.
 */
export function readCitations(words: string): ReadCitations {
  const kept: string[] = [];
  const cited: CitedClaim[] = [];
  const malformed: string[] = [];
  let inList = false;
  for (const line of words.split('\n')) {
    const citation = citationIn(line);
    if (HEADING.test(line)) inList = true;
    else if (citation && cited.length < MAX_CITATIONS) cited.push(citation);
    else if (citation || (inList && ITEM.test(line))) malformed.push(line.trim().slice(0, MAX_LINE));
    else {
      if (line.trim() !== '') inList = false;
      kept.push(line);
    }
  }
  const found = cited.length + malformed.length > 0;
  return {
    text: found
      ? kept
          .join('\n')
          .replace(/\n{3,}/g, '\n\n')
          .trim()
      : words,
    cited,
    malformed: malformed.slice(0, MAX_MALFORMED),
  };
}

function citationIn(line: string): CitedClaim | null {
  const [, place, claim, source, target, from, to] = (line.length <= MAX_LINE && CITATION.exec(line)) || [];
  if (!place || claim === undefined || !source || !target || !from) return null;
  const [, page = place, pageLine] = /^(.*?)(?::L?(\d{1,9}))?$/.exec(place.trim()) ?? [];
  const [, path = target, commit] = /^(.*?)(?:@([0-9a-f]{1,40}))?$/.exec(target.trim()) ?? [];
  return {
    page,
    line: pageLine === undefined ? null : Number(pageLine),
    claim,
    source,
    path,
    commit: commit ?? null,
    fromLine: Number(from),
    toLine: Number(to ?? from),
  };
}
