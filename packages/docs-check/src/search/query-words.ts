import { wordsOf } from './words.ts';

/** Words of a query that count. */
const MAX_WORDS = 64;

/**
 * English question words. If a site has pages in several languages, few pages have them, so their rarity
 * means nothing.
 */
const QUESTION_WORDS = new Set(
  wordsOf(
    `a about after all also am an and any are as at be because been before being below between both but by can could did do does doing don
    for from get gets getting got had has have having he her here him his how i if in into is it its itself just let lets like make makes
    me more most my need needs no not of off on one only or other our out over own please same she should so some such than that the their
    them then there these they this those through to too under until up us use used using very via want wants was we were what when where
    which while who why will with without would you your`,
  ),
);

/** The meaningful words of a query, each once; all of them, if there are no others. */
export function queryWords(query: string): number[] {
  const all = [...new Set(wordsOf(query))];
  const telling = all.filter((word) => !QUESTION_WORDS.has(word));
  return (telling.length > 0 ? telling : all).slice(0, MAX_WORDS);
}
