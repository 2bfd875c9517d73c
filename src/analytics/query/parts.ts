import type { AnalyticsFolder } from '../analytics-folder.ts';
import type { Values } from '../duck.ts';
import { KIND_FILTER, kindsOf, type KindSet } from '../kinds.ts';
import { absolutePaths, COLUMNS, instantExpression, ofFamily, overlapping, relation } from '../tables.ts';
import { countedIn } from './cube-table.ts';
import type { Snapshot } from './snapshot.ts';
import type { Span } from './span.ts';

/** SQL and the values that it names. */
export interface Query {
  sql: string;
  values: Values;
}

/** Which rows of path are asked for: the whole site's alone, or all. */
export type Scope = 'site' | 'all';

const scopeFilter = (scope: Scope) => (scope === 'site' ? `path = ''` : 'true');
const IN_SPAN = `time >= ${instantExpression('$from')} AND time < ${instantExpression('$to')}`;

/**
 * Unique visitors as relations (path, kind, n) to be added up, path '' for the site. Whole folded days come from the cube. What is
 * not in it, unfolded events and pieces of days, is counted where the visitor was not there on one of the whole days.
 */
export function visitorCounts(
  folder: AnalyticsFolder,
  snapshot: Snapshot,
  span: Span,
  kinds: KindSet,
  scope: Scope,
): Query {
  const values = valuesOf(folder, snapshot, span);
  const extras = extraPresence(snapshot, span, scope);
  const { cube, rollupWhole } = filesOf(snapshot, span);
  const counted =
    kinds === 'export'
      ? countedIn(snapshot.cube, scope)
      : `SELECT path, kind, sum(n)::BIGINT AS n FROM ${relation('cube', cube, 'cube')}
         WHERE ${KIND_FILTER[kinds]} AND day >= $wholeFrom AND day < $wholeTo AND prev < $wholeFrom AND ${scopeFilter(scope)}
         GROUP BY ALL`;
  if (extras === null) return { sql: `(${counted})`, values };
  return {
    sql: `(
      WITH extra AS MATERIALIZED (${extras}),
      extra_kinds AS (SELECT DISTINCT path, visitor, unnest(${kindsOf(snapshot.manifest.mapping)[kinds]}) AS kind FROM extra),
      counted_kinds AS (
        SELECT DISTINCT path, visitor, unnest(${kindsOf(snapshot.manifest.mapping)[kinds]}) AS kind
        FROM (
          SELECT path, visitor, class, agent FROM ${relation('rollup', rollupWhole, 'rollupWhole')}
          WHERE day >= $wholeFrom AND day < $wholeTo AND ${scopeFilter(scope)}
        ) SEMI JOIN extra USING (path, visitor)
      )
      ${counted}
      UNION ALL
      SELECT path, kind, count(*) AS n FROM extra_kinds ANTI JOIN counted_kinds USING (path, visitor, kind) GROUP BY ALL
    )`,
    values,
  };
}

/** Page views as relations (path, kind, n), in the same way. */
export function viewCounts(
  folder: AnalyticsFolder,
  snapshot: Snapshot,
  span: Span,
  kinds: KindSet,
  scope: Scope,
): Query {
  const { views } = filesOf(snapshot, span);
  const loose = looseEvents(snapshot, span);
  const counted = `
    SELECT path, kind, sum(n)::BIGINT AS n FROM ${relation('views', views, 'views')}
    WHERE ${KIND_FILTER[kinds]} AND day >= $wholeFrom AND day < $wholeTo AND ${scopeFilter(scope)} GROUP BY ALL`;
  const paths = scope === 'site' ? `['']` : `['', path]`;
  return {
    sql: loose
      ? `(${counted} UNION ALL
          SELECT path, kind, count(*) AS n
          FROM (
            SELECT unnest(paths) AS path, kinds FROM (
              SELECT ${paths} AS paths, ${kindsOf(snapshot.manifest.mapping)[kinds]} AS kinds FROM (${loose}) WHERE NOT not_found
            )
          ), unnest(kinds) AS k(kind)
          GROUP BY ALL)`
      : `(${counted})`,
    values: valuesOf(folder, snapshot, span),
  };
}

/** All events of a span, one by one, folded or not. */
export function eventsIn(folder: AnalyticsFolder, snapshot: Snapshot, span: Span): Query {
  const { events } = filesOf(snapshot, span);
  const columns = Object.keys(COLUMNS.events).join(', ');
  return {
    sql: `(SELECT ${columns} FROM ${relation('events', events, 'events')} WHERE ${IN_SPAN}
           UNION ALL SELECT ${columns} FROM ${snapshot.inbox} WHERE ${IN_SPAN})`,
    values: valuesOf(folder, snapshot, span),
  };
}

/** Rows (path, visitor, class, agent, day) that the cube's whole days do not hold, or null for none. */
export function extraPresence(snapshot: Snapshot, span: Span, scope: Scope): string | null {
  const parts: string[] = [];
  const { rollupEdges, events } = filesOf(snapshot, span);
  const ofRollup = (when: string) =>
    `SELECT path, visitor, class, agent, day FROM ${relation('rollup', rollupEdges, 'rollupEdges')}
     WHERE ${when} AND ${scopeFilter(scope)}`;
  const ofEvents = (relationSql: string) => {
    const rows = `FROM ${relationSql} WHERE ${IN_SPAN} AND NOT not_found`;
    const site = `SELECT '' AS path, visitor, class, agent, (epoch_ms(time) // 86400000)::INTEGER AS day ${rows}`;
    if (scope === 'site') return site;
    return `SELECT path, visitor, class, agent, (epoch_ms(time) // 86400000)::INTEGER AS day ${rows} UNION ALL ${site}`;
  };
  if (span.left) parts.push(ofRollup(`day = $leftDay AND last >= ${instantExpression('$from')}`));
  if (span.right) parts.push(ofRollup(`day = $rightDay AND first < ${instantExpression('$to')}`));
  if (span.inside) parts.push(ofEvents(relation('events', events, 'events')));
  if (!snapshot.inboxIsEmpty) parts.push(ofEvents(snapshot.inbox));
  return parts.length > 0 ? parts.join(' UNION ALL ') : null;
}

/** Events in the span that no whole folded day holds, or null where there can be none. */
export function looseEvents(snapshot: Snapshot, span: Span): string | null {
  const parts: string[] = [];
  const columns = 'time, path, visitor, class, agent, not_found';
  if (span.left || span.right || span.inside) {
    const { eventsEdges } = filesOf(snapshot, span);
    parts.push(
      `SELECT ${columns} FROM ${relation('events', eventsEdges, 'eventsEdges')}
       WHERE ${IN_SPAN}
         AND NOT (time >= ${instantExpression('$wholeFrom * 86400000')} AND time < ${instantExpression('$wholeTo * 86400000')})`,
    );
  }
  if (!snapshot.inboxIsEmpty) parts.push(`SELECT ${columns} FROM ${snapshot.inbox} WHERE ${IN_SPAN}`);
  return parts.length > 0 ? parts.join(' UNION ALL ') : null;
}

export function filesOf({ manifest }: Snapshot, span: Span) {
  const { files } = manifest;
  const { wholeFrom, wholeTo, left, right, inside } = span;
  const edges = [left?.day, right?.day, inside?.day].filter((day) => day !== undefined);
  const whole = (family: 'cube' | 'views' | 'rollup') => overlapping(ofFamily(files, family), wholeFrom, wholeTo - 1);
  const onEdges = (family: 'rollup' | 'events') =>
    ofFamily(files, family).filter((file) => edges.some((day) => file.minDay <= day && file.maxDay >= day));
  const last = inside ? inside.day : right ? right.day : wholeTo - 1;
  return {
    cube: whole('cube'),
    views: whole('views'),
    rollupWhole: whole('rollup'),
    rollupEdges: onEdges('rollup'),
    eventsEdges: onEdges('events'),
    events: overlapping(ofFamily(files, 'events'), left ? left.day : inside ? inside.day : wholeFrom, last),
  };
}

export function valuesOf(folder: AnalyticsFolder, snapshot: Snapshot, span: Span): Values {
  const files = Object.entries(filesOf(snapshot, span)).map(([name, list]) => [name, absolutePaths(folder, list)]);
  return {
    ...Object.fromEntries(files),
    from: span.from,
    to: span.to,
    wholeFrom: span.wholeFrom,
    wholeTo: span.wholeTo,
    leftDay: span.left?.day ?? 0,
    rightDay: span.right?.day ?? 0,
  };
}
