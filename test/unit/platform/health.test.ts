import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import {
  HEALTH_LIMITS,
  judgeConnections,
  judgeDamage,
  judgeProcesses,
  judgeReadiness,
  judgeRoom,
  judgeWorkers,
  summarize,
} from '../../../src/platform/health.ts';

test('reports the worst finding with what to do, and calls only vital parts down', () => {
  const damage = judgeDamage(2);
  const crowded = judgeConnections({ connections: 95, maxConnections: 100 });
  expect(summarize([crowded, damage])).toEqual({ status: 'degraded', message: `${damage.what} ${damage.todo}` });
  expect(summarize([judgeRoom('disk', 1e6)], 'down').status).toBe('down');
  expect(summarize([judgeRoom('disk', 1e9)], 'down').status).toBe('degraded');
  expect(summarize([judgeRoom('disk', 5e9), judgeDamage(0)])).toEqual({
    status: 'ok',
    message: '5.0 GB are free. No damaged files of page views are known.',
  });
});

test('finds workers that are silent, processes that are missing, and other versions', () => {
  expect(judgeWorkers([{ lastAccessAt: new Date(Date.now() - 5 * 60_000) }]).status).toBe('wrong');
  expect(judgeWorkers([{ lastAccessAt: new Date() }]).what).toBe('1 worker is polling for tasks.');
  const api = { name: 'docent api', version: '1.0.0', host: 'one', pid: 1, alive: true };
  const gone = { ...api, name: 'docent worker', alive: false };
  expect(judgeProcesses([api, gone], '1.0.1').map(({ check, status }) => [check, status])).toEqual([
    ['processes', 'warning'],
    ['versions', 'warning'],
    ['ended', 'warning'],
  ]);
});

test('names every reason why a server is not ready', () => {
  const works = { temporal: true, database: true, analyticsFolder: true, isLeaving: false };
  expect(judgeReadiness(works)).toEqual([]);
  expect(judgeReadiness({ ...works, temporal: false, database: false, databaseProblem: 'The disk is full.' })).toEqual([
    'Temporal cannot be reached.',
    'The disk is full.',
  ]);
});

test('alerts fire at the same limits', () => {
  const file = path.join(import.meta.dirname, '../../../deploy/monitoring/alerts.yaml');
  const { groups } = parse(readFileSync(file, 'utf8')) as { groups: { rules: { alert: string; expr: string }[] }[] };
  const limit = (alert: string) => {
    const rule = groups.flatMap(({ rules }) => rules).find((one) => one.alert === alert);
    return Number(rule?.expr.split('>').at(-1));
  };
  expect(limit('DocentEventsUnsealed')).toBe(HEALTH_LIMITS.unsealedBytes);
  expect(limit('DocentCountsBehind')).toBe(HEALTH_LIMITS.unmergedEvents);
});
