import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { readOperatorToken, type RunFile } from '../../src/start/home.ts';
import { ROOT } from './processes.ts';

async function scraped(url: string | undefined): Promise<string> {
  const answer = await fetch(url ?? '');
  expect(answer.headers.get('content-type')).toContain('text/plain; version=0.0.4');
  return answer.text();
}

/** The value of a series, by its name and parts of its labels; null if there is none. */
function valueOf(text: string, name: string, ...labels: string[]): number | null {
  const line = text
    .split('\n')
    .find((one) => new RegExp(`^${name}[{ ]`).test(one) && labels.every((label) => one.includes(label)));
  return line === undefined ? null : Number(line.slice(line.lastIndexOf(' ') + 1));
}

/**
 * The metrics of a `docent start` that has done one job, and has taken one page view, whose texts all have
 * `sekret` in them.
 */
export async function expectMetrics(run: RunFile, home: string, jobId: string): Promise<void> {
  const ofApi = await scraped(run.metricsUrls?.api);
  const ofWorker = await scraped(run.metricsUrls?.worker);
  expect(
    valueOf(ofApi, 'http_server_request_duration_seconds_count', 'docent_operation="createJob"', 'code="201"'),
  ).toBe(1);
  expect(valueOf(ofApi, 'docent_events_total', 'docent_outcome="accepted"')).toBe(1);
  expect(valueOf(ofApi, 'docent_event_log_append_duration_seconds_count')).toBe(1);
  expect(valueOf(ofApi, 'docent_jobs', 'docent_state="waiting"')).toBe(0);
  expect(valueOf(ofApi, 'docent_files_damaged')).toBe(0);
  expect(valueOf(ofWorker, 'docent_activity_duration_seconds_count', 'activity="callModel"', '"done"')).toBeGreaterThan(
    0,
  );
  expect(valueOf(ofWorker, 'gen_ai_client_operation_duration_seconds_count', 'builtin')).toBeGreaterThan(0);
  for (const text of [ofApi, ofWorker]) {
    expect(valueOf(text, 'process_memory_usage_bytes')).toBeGreaterThan(1e7);
    expect(valueOf(text, 'db_client_connection_count', 'state="used"')).not.toBeNull();
  }
  expect(ofWorker, 'those of the SDK of Temporal, too').toMatch(/^temporal_worker_task_slots_available/m);
  const both = ofApi + ofWorker;
  for (const said of ['sekret', 'Sekret', jobId, readOperatorToken(home)!, home, 'postgres://'])
    expect(both, said).not.toContain(said);
  for (const line of both.split('\n').filter((one) => one !== '' && !one.startsWith('#')))
    expect(line).toMatch(/^[a-zA-Z_:][\w:]*(?:\{(?:\w+="(?:[^"\\]|\\.)*",?)*\})? \S+(?: \d+)?$/);

  const ports = Object.values(run.metricsUrls ?? {}).map((url) => new URL(url).hostname);
  expect(ports, 'this machine alone reads them').toEqual(['127.0.0.1', '127.0.0.1']);
  expect((await fetch(new URL('/', run.metricsUrls?.api))).status).toBe(404);

  const names = new Set([...both.matchAll(/^# TYPE (\S+) \w+$/gm)].map(([, name]) => name!));
  const isKnown = (name: string) => names.has(name) || names.has(name.replace(/_(?:bucket|count|sum)$/, ''));
  const unknown = [...new Set(namesInRules())].filter((name) => !isKnown(name));
  expect(unknown, 'alerts and panels go by metrics that there are').toEqual([]);
}

/** Metrics that the alert rules and the dashboard ask for. */
function namesInRules(): string[] {
  const folderOf = path.join(ROOT, 'deploy/monitoring');
  const { groups } = parse(readFileSync(path.join(folderOf, 'alerts.yaml'), 'utf8')) as {
    groups: { rules: { expr: string }[] }[];
  };
  const { panels } = JSON.parse(readFileSync(path.join(folderOf, 'grafana-dashboard.json'), 'utf8')) as {
    panels: { targets: { expr: string }[] }[];
  };
  const asked = [
    ...groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ];
  expect(asked.length).toBeGreaterThan(10);
  // Without the names of labels.
  const bare = asked.map((expr) => expr.replace(/\{[^}]*\}|by \([^)]*\)/g, ''));
  return bare.flatMap(
    (expr) => expr.match(/\b(?:docent|http_server|gen_ai|process|nodejs|db_client|temporal)_\w+/g) ?? [],
  );
}
