import { DAY_MS } from '@docent/base/time';
import { shortId } from '../../src/analytics/storage/tables.ts';

/** A stream of generated page views: the same events for the same description, on any machine. */
export interface DataSet {
  /** Page views in total. */
  events: number;
  days: number;
  paths: number;
  /** How visitors behave: heavy-tailed with favorite pages, or almost never twice. */
  readers: 'return' | 'rarely return';
}

export const DATA_SETS = {
  returning: { events: 20_000_000, days: 30, paths: 2_000, readers: 'return' },
  rare: { events: 20_000_000, days: 30, paths: 2_000, readers: 'rarely return' },
  year: { events: 20_000_000, days: 365, paths: 2_000, readers: 'return' },
  /** Ten times the events per day of the first. */
  dense: { events: 20_000_000, days: 3, paths: 2_000, readers: 'return' },
} as const satisfies Record<string, DataSet>;
export type DataSetName = keyof typeof DATA_SETS;

/** The last day of every set. */
export const LAST_DAY = Date.UTC(2026, 10, 1) / DAY_MS;

export const describeSet = ({ events, days, paths, readers }: DataSet): string =>
  `${(events / 1e6).toFixed(events < 1e6 ? 1 : 0)}M events over ${days} days, ${paths.toLocaleString('en-US')} paths, readers ${readers}`;

/** The independent draws for an event or a person. */
const DRAWS = ['who', 'habit', 'page', 'visitor', 'class', 'favorite'] as const;

/**
 * A 64-bit hash of a whole number for one draw. One argument, never two: DuckDB's hashes of `(n, 'a')` and
 * `(n, 'b')` differ by a constant, so that the visitor would decide which page was read.
 */
const draw = (of: (typeof DRAWS)[number], number: string) =>
  `hash((${number})::BIGINT * ${DRAWS.length} + ${DRAWS.indexOf(of)})`;

/** The same as a part of 1. */
const chance = (of: (typeof DRAWS)[number], number: string) => `(${draw(of, number)} / 18446744073709551616.0)`;

/**
 * The events [first, first + count) of a set as a relation of SQL with the columns of events, in the order of
 * time.
 *
 * Readers who return: one in twenty events is a new person's at most, the rank of who comes follows u^2.5, so
 * that a tenth of all people make four in ten views; half of the time a reader is on one of three favorite
 * pages, else anywhere, popular pages (u^2) first. Readers who rarely return: of ten people for each event
 * anyone may come; one in twenty who come is seen again. Two in ten are assistants, one in ten a search
 * engine's crawler; all by hashes of the event's and the person's number.
 */
export function eventsOfSet({ events, days, paths, readers }: DataSet, first: number, count: number): string {
  const begin = (LAST_DAY + 1 - days) * DAY_MS;
  const people = readers === 'return' ? Math.ceil(events / 20) : events * 10;
  const rank = readers === 'return' ? `pow(${chance('who', 'n')}, 2.5)` : chance('who', 'n');
  return `(
    SELECT ${shortId("md5('e' || n)")} AS id, make_timestamp((${begin} + n * ${days * DAY_MS} // ${events})::BIGINT * 1000) AS time,
      '/docs/page-' || page AS path, ${draw('visitor', 'who')} AS visitor, class, false AS class_given,
      'Mozilla/5.0 (agent ' || (who % 300) || ') AppleWebKit/537.36 (KHTML, like Gecko) Safari/537.36' AS user_agent,
      CASE WHEN class = 'assistant' THEN 'Agent-' || (who % 12) END AS agent, 'html' AS format,
      NULL::BOOLEAN AS verified, NULL::VARCHAR AS verified_by,
      CASE WHEN who % 5 = 0 THEN 'host-' || (who % 50) || '.example.com' END AS referrer, false AS not_found, 1 AS classifier
    FROM (
      SELECT n, who,
        CASE WHEN kind < 0.2 THEN 'assistant' WHEN kind < 0.3 THEN 'search' ELSE 'human' END AS class,
        CASE WHEN habit < 0.5 THEN ${draw('favorite', 'who * 3 + floor(page * 3)')} % ${paths} ELSE floor(pow(page, 2) * ${paths}) END::INTEGER AS page
      FROM (
        SELECT n, who, ${chance('class', 'who')} AS kind, ${chance('habit', 'n')} AS habit, ${chance('page', 'n')} AS page
        FROM (
          SELECT n, least(floor(${people} * ${rank}), ${people - 1})::BIGINT AS who FROM range(${first}, ${first + count}) t(n)
        ))
    ))`;
}
