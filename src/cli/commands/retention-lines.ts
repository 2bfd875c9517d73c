import type { components } from '@docent/client';
import { answerOf } from '@docent/base/terminal/api-answer';
import { ServerRefusal } from '@docent/base/terminal/failures';
import { inUtc, safe, table } from '@docent/base/terminal/terminal-text';
import { RETENTION_RULES } from '../../platform/health.ts';
import type { Server } from './server.ts';

export type Retention = components['schemas']['RetentionHealth'];

/** How long what is over is kept; null where the caller may not know. */
export async function retentionOf({ client, url }: Server): Promise<Retention | null> {
  try {
    return (await answerOf(url, client.GET('/v1/health'))).retention;
  } catch (err) {
    if (err instanceof ServerRefusal) return null;
    throw err;
  }
}

/** More are not counted: see `RetentionHealth` of the contract. */
const MOST_COUNTED = 10_000;

/** A table with a line for each rule, and any problems. */
export function retentionLines(retention: Retention | null): string[] {
  if (retention === null || retention.rules.length === 0) return [];
  const rows = retention.rules.map(({ rule, keepDays, waiting, held, lastRunAt, removed, removedInAll }) => [
    RETENTION_RULES[rule],
    keepDays !== null ? `${keepDays} ${keepDays === 1 ? 'day' : 'days'}` : rule === 'temporal' ? 'unknown' : 'forever',
    waiting === null ? '–' : counted(waiting) + (held ? `, ${counted(held)} with an open pull request` : ''),
    rule === 'temporal' ? '–' : `${removed}, ${removedInAll} total`,
    inUtc(lastRunAt),
  ]);
  return [
    '',
    table(['DATA', 'KEPT FOR', 'TO DELETE', 'DELETED', 'LAST RUN'], rows),
    ...retention.rules.flatMap(({ problem }) => (problem === null ? [] : [safe(problem)])),
  ];
}

const counted = (count: number) => (count >= MOST_COUNTED ? `${MOST_COUNTED} or more` : String(count));
