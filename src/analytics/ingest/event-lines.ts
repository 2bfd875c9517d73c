import { shortId } from '../storage/tables.ts';
import type { StoredEvent } from '../events/event.ts';

/** The event as a line of JSON. JSON.stringify cannot write 64-bit numbers, and is slower. */
export function eventLine(projectId: string, event: StoredEvent): string {
  return (
    `{"p":"${projectId}","i":"${event.id}","t":${event.time},"u":${text(event.path)},"v":${event.visitor},"c":"${event.class}",` +
    `"g":${event.classGiven},"a":${text(event.userAgent)},"n":${text(event.agent)},"f":"${event.format}",` +
    `"r":${text(event.referrer)},"m":${event.notFound},"k":${event.classifier},"w":${event.verified},"b":${text(event.verifiedBy)}}\n`
  );
}

const text = (value: string | null): string => (value === null ? 'null' : JSON.stringify(value));

/** Rows of a file of such lines, with the project. Names `$file`. */
export const EVENT_LINES = `
  SELECT p AS project, ${shortId('i')} AS id, make_timestamp(t * 1000) AS time, u AS path, v AS visitor, c AS class,
    g AS class_given, a AS user_agent, n AS agent, f AS format, r AS referrer, m AS not_found, k AS classifier,
    w AS verified, b AS verified_by
  FROM read_json($file, format = 'newline_delimited', ignore_errors = true, maximum_object_size = 16777216,
    columns = {p: 'VARCHAR', i: 'VARCHAR', t: 'BIGINT', u: 'VARCHAR', v: 'UBIGINT', c: 'VARCHAR', g: 'BOOLEAN', a: 'VARCHAR',
      n: 'VARCHAR', f: 'VARCHAR', r: 'VARCHAR', m: 'BOOLEAN', k: 'INTEGER', w: 'BOOLEAN', b: 'VARCHAR'})
  WHERE p IS NOT NULL AND i IS NOT NULL`;
