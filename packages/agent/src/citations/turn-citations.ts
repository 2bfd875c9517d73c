import { plural } from '@docent/base/plural';
import { visibleName } from '@docent/docs-check/read/visible-text';
import { excerpt } from '../tools/bounded-output.ts';
import type { Notice, TranscriptEntry } from '@docent/models/conversation/transcript';
import { readCitations, type CitedClaim } from './read-citations.ts';
import type { HeldCitation, ReadLines, Verdict } from './verify-citations.ts';

/** The agent's citations in a turn, and what it has read. */
export interface TurnCitations {
  /** Of each claim of a page, the citations that came last. `isNewest`: in the agent's last closing words. */
  cited: { claim: CitedClaim; isNewest: boolean }[];
  /** Lines of the newest list that are not citations. */
  malformed: string[];
  reads: ReadLines[];
}

const MAX_SHOWN = 30;
const MAX_CLAIM = 200;

/**
 * The citations of all closing words of a turn, and the source lines in its results. All, because an agent
 * that is asked again may repeat only the wrong ones.
 */
export function citationsOf(entries: readonly TranscriptEntry[]): TurnCitations {
  const closings = entries.flatMap((entry) =>
    entry.role === 'assistant' && entry.toolCalls.length === 0 ? [readCitations(entry.text)] : [],
  );
  const cited = new Map<string, TurnCitations['cited']>();
  for (const [i, closing] of closings.entries()) {
    const isNewest = i === closings.length - 1;
    // A claim may have several sources.
    for (const [key, claims] of Map.groupBy(closing.cited, keyOf)) {
      const different = new Map(claims.map((claim) => [JSON.stringify(claim), { claim, isNewest }]));
      cited.set(key, [...different.values()]);
    }
  }
  const reads = entries.flatMap((entry) =>
    entry.role !== 'tool'
      ? []
      : entry.results.flatMap(({ ok, data }): ReadLines[] => {
          if (!ok || data?.tool !== 'sources_read') return [];
          const { source, commit, path, lines } = data;
          return [{ source, commit, path, first: lines.first, last: lines.last }];
        }),
  );
  return { cited: [...cited.values()].flat(), malformed: closings.at(-1)?.malformed ?? [], reads };
}

function keyOf({ page, claim }: CitedClaim): string {
  return JSON.stringify([page, claim.replace(/\s+/gu, ' ').trim()]);
}

/** The outcome of a turn's citations. */
export interface JudgedCitations {
  held: HeldCitation[];
  /** Sentences about those that do not hold: claims without a source. */
  refused: string[];
}

/**
 * @param verdicts in the order of the citations
 * What the agent has left out since it was asked counts only if the page still states it. A claim with a
 * source that holds does not count.
 */
export function judgeCitations({ cited, malformed }: TurnCitations, verdicts: readonly Verdict[]): JudgedCitations {
  const held: HeldCitation[] = [];
  const refused = malformed.map((line) => `${shown(line)}: it is not in the form of a citation.`);
  const withSource = new Set(cited.flatMap(({ claim }, i) => (verdicts[i]!.ok ? [keyOf(claim)] : [])));
  for (const [i, { claim, isNewest }] of cited.entries()) {
    const verdict = verdicts[i]!;
    if (verdict.ok) held.push(verdict.citation);
    else if (!withSource.has(keyOf(claim)) && (isNewest || verdict.onPage)) {
      refused.push(`${visibleName(claim.page)} ${shown(claim.claim)}: ${verdict.reason}`);
    }
  }
  return { held, refused };
}

function shown(text: string): string {
  return JSON.stringify(excerpt(visibleName(text), MAX_CLAIM));
}

/** The one notice to the agent about invalid citations. */
export function citationsNotice(refused: readonly string[]): Notice {
  const lines = refused.slice(0, MAX_SHOWN).map((one) => `- ${one}`);
  const more = refused.length > MAX_SHOWN ? [`- and ${refused.length - MAX_SHOWN} more`] : [];
  const text = [
    `${plural(refused.length, 'citation')} ${refused.length === 1 ? 'is' : 'are'} not valid:`,
    ...lines,
    ...more,
    'Read the lines that decide. Where they say something else, correct the page. Then finish again, with the whole list of citations.',
  ].join('\n');
  // It quotes what the agent wrote, between tags that it must not close.
  return { role: 'notice', kind: 'citations', text: text.replace(/<(?=\/?notice\b)/gi, '&lt;') };
}
