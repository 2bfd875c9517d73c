import type { ComponentChildren } from 'preact';
import type { components } from '@docent/client';
import { api, answerOf } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { Code, Sentence } from '../../parts/code.tsx';
import { bytes, count } from '../../parts/number.ts';
import { Loaded, Page, Panel } from '../../parts/page.tsx';
import { When } from '../../parts/when.tsx';
import './health.css';
import { text as w } from './text.ts';

const OFTEN_MS = 10_000;
const TONES: Record<string, Tone> = { ok: 'good', degraded: 'warn', down: 'bad', unknown: 'plain' };

type Health = components['schemas']['InstallationHealth'];
type Part = keyof typeof w.parts;

/** `/health`: the parts of the installation, and their states. */
export default function HealthPage() {
  const health = useResource('health', (signal) => answerOf(api.GET('/v1/health', { signal })), { everyMs: OFTEN_MS });
  return (
    <Page
      title={w.title}
      lead={
        health.data && (
          <>
            <Badge tone={TONES[health.data.status]}>{w.states[health.data.status]}</Badge> {w.version}{' '}
            {health.data.version}, {w.asOf} <When at={health.data.asOf} as="exact" />
          </>
        )
      }
    >
      <Loaded from={health} rows={10}>
        {(all) => (
          <div class="health">
            {(Object.keys(w.parts) as Part[]).map((part) => (
              <Panel
                key={part}
                title={w.parts[part]}
                actions={<Badge tone={TONES[all[part].status]}>{w.states[all[part].status]}</Badge>}
              >
                <p>
                  <Code text={all[part].message} />
                </p>
                {FACTS[part](all)}
              </Panel>
            ))}
          </div>
        )}
      </Loaded>
    </Page>
  );
}

type Fact = readonly [name: string, value: ComponentChildren];

/** The known facts. */
function Facts({ of: facts }: { of: readonly Fact[] }) {
  const known = facts.filter(([, value]) => value !== null && value !== undefined);
  if (known.length === 0) return null;
  return (
    <dl class="facts">
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const number = (n: number | null) => (n === null ? null : count(n));
const moment = (at: string | null) => (at === null ? null : <When at={at} />);

const FACTS: Record<Part, (all: Health) => ComponentChildren> = {
  temporal: ({ temporal }) => (
    <Facts
      of={[
        [w.namespace, temporal.namespace],
        [w.serverVersion, temporal.serverVersion],
        [w.workers, count(temporal.workers.length)],
      ]}
    />
  ),
  database: ({ database }) => (
    <Facts
      of={[
        [w.version, database.version],
        [w.size, database.sizeBytes === null ? null : bytes(database.sizeBytes)],
        [
          w.connections,
          database.connections === null
            ? null
            : w.of(count(database.connections), number(database.maxConnections) ?? '?'),
        ],
        [w.migrations, database.pendingMigrations ? count(database.pendingMigrations) : null],
      ]}
    />
  ),
  disk: ({ disk }) =>
    disk.freeBytes !== null && disk.totalBytes !== null ? (
      <>
        <meter min={0} max={disk.totalBytes} value={disk.totalBytes - disk.freeBytes} aria-label={w.parts.disk} />
        <Facts of={[[w.free, w.of(bytes(disk.freeBytes), bytes(disk.totalBytes))]]} />
      </>
    ) : null,
  model: ({ model }) => (
    <Facts
      of={[
        [w.parts.model, model.model],
        [w.lastTest, model.lastTest && <When at={model.lastTest.at} />],
        [w.turns, model.turnsLastDay ? w.of(number(model.failedTurnsLastDay) ?? '?', count(model.turnsLastDay)) : null],
      ]}
    />
  ),
  hosts: ({ hosts }) => (
    <ul class="lines">
      {hosts.hosts.map((host) => (
        <li key={host.id}>
          <strong>{host.id}</strong>
          <Badge tone={host.ok === null ? 'plain' : host.ok ? 'good' : 'bad'}>
            {w.states[host.ok === null ? 'unknown' : host.ok ? 'ok' : 'down']}
          </Badge>
          {host.checkedAt && (
            <span class="hint">
              {w.checked} <When at={host.checkedAt} />
            </span>
          )}
          {host.problems.map((problem) => (
            <p key={problem} class="wrong">
              <Sentence text={problem} />
            </p>
          ))}
        </li>
      ))}
    </ul>
  ),
  processes: ({ processes }) => (
    <ul class="lines">
      {processes.processes.map((process) => (
        <li key={`${process.host} ${process.pid} ${process.name}`}>
          <strong>{process.name}</strong>
          <span class="hint">
            {process.host} {process.pid}, {process.version}
          </span>
          <Badge tone={process.alive ? 'good' : 'warn'}>
            <When at={process.seenAt} />
          </Badge>
        </li>
      ))}
    </ul>
  ),
  queue: ({ queue }) => (
    <Facts
      of={[
        [w.active, number(queue.active)],
        [w.working, number(queue.working)],
        [w.waiting, number(queue.waiting)],
        [w.oldest, moment(queue.oldestWaitingSince)],
      ]}
    />
  ),
  analytics: ({ analytics }) => (
    <Facts
      of={[
        [w.unmerged, number(analytics.unmergedEvents)],
        [w.damaged, number(analytics.damagedFiles)],
      ]}
    />
  ),
  webhooks: ({ webhooks }) => (
    <Facts
      of={[
        [w.pending, number(webhooks.pending)],
        [w.failing, number(webhooks.failing)],
        [w.oldest, moment(webhooks.oldestPendingSince)],
      ]}
    />
  ),
  retention: ({ retention }) => (
    <Facts
      of={retention.rules
        .filter(({ rule, keepDays }) => keepDays !== null && w.rules[rule])
        .map(({ rule, waiting, removedInAll }) => [
          w.rules[rule] ?? rule,
          `${number(waiting) ?? '?'}, ${w.removed(count(removedInAll))}`,
        ])}
    />
  ),
};
