import type { components } from '@docent/client';
import { api, answerOf } from '../../api/client.ts';
import { useCursorList } from '../../api/list.ts';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { Button, MoreButton } from '../../parts/button.tsx';
import { Select, TextField } from '../../parts/field.tsx';
import { Foreign } from '../../parts/foreign.tsx';
import { Empty, Loaded, Page } from '../../parts/page.tsx';
import { Table } from '../../parts/table.tsx';
import { When } from '../../parts/when.tsx';
import { useProjects } from '../../shell/current-project.ts';
import { isDay, startOf, TIME_ZONE } from '../../shell/local-day.ts';
import { useQuery } from '../../shell/query.ts';
import { text } from '../../text.ts';

const { audit: w } = text;
type Entry = components['schemas']['AuditEntry'];
type Query = Record<string, string>;
const OFTEN_MS = 15_000;
const FILTERS = ['project', 'operation', 'from', 'to'] as const;
const NO_FILTERS = Object.fromEntries(FILTERS.map((name) => [name, undefined]));

/** `/audit`: who changed what. Its filters are in the address. */
export default function Audit() {
  const [query, setQuery] = useQuery();
  const { project = '', operation = '', from, to: until } = query;
  const isFiltered = FILTERS.some((name) => query[name]);
  const list = useCursorList<Entry>(
    `audit ${project} ${operation} ${from ?? ''} ${until ?? ''}`,
    async (cursor, signal) => {
      const page = await answerOf(
        api.GET('/v1/audit', {
          params: {
            query: {
              cursor,
              ...(project ? { projectId: project } : {}),
              ...(operation ? { operation } : {}),
              ...(isDay(from) ? { from: startOf(from) } : {}),
              ...(isDay(until) ? { to: startOf(until, 1) } : {}),
            },
          },
          signal,
        }),
      );
      return { rows: page.entries, nextCursor: page.nextCursor };
    },
    { everyMs: OFTEN_MS },
  );
  return (
    <Page title={w.title} lead={w.lead} isWide>
      <Filters {...{ query, setQuery }} />
      <p class="hint">{text.common.localTimes(TIME_ZONE)}</p>
      <Loaded from={{ ...list, data: list.rows }} rows={8}>
        {(rows) =>
          rows.length > 0 ? (
            <Entries rows={rows} />
          ) : isFiltered ? (
            <Empty
              title={w.noMatch}
              action={<Button onClick={() => setQuery(NO_FILTERS)}>{text.common.clear}</Button>}
            />
          ) : (
            <Empty title={w.empty} />
          )
        }
      </Loaded>
      <MoreButton of={list} />
    </Page>
  );
}

function Filters({
  query,
  setQuery,
}: {
  query: Query;
  setQuery: (changes: Record<string, string | undefined>) => void;
}) {
  const projects = useProjects();
  return (
    <search class="row" aria-label={w.filters}>
      <Select
        label={w.project}
        value={query.project ?? ''}
        onValue={(project) => setQuery({ project })}
        options={[['', w.anyProject], ...(projects.data ?? []).map(({ id }) => [id, id] as const)]}
      />
      <TextField
        label={w.operation}
        type="search"
        placeholder="createKey"
        spellcheck={false}
        value={query.operation ?? ''}
        onValue={(operation) => setQuery({ operation: operation.trim() })}
      />
      <TextField label={w.from} type="date" value={query.from ?? ''} onValue={(from) => setQuery({ from })} />
      <TextField label={w.to} type="date" value={query.to ?? ''} onValue={(next) => setQuery({ to: next })} />
    </search>
  );
}

function Entries({ rows }: { rows: Entry[] }) {
  return (
    <Table
      caption={w.title}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        { head: w.when, cell: ({ at }) => <When at={at} as="exact" /> },
        {
          head: w.who,
          cell: ({ actor }) => (
            <div class="break">
              {w.kinds[actor.kind]}
              {actor.name && actor.kind !== 'operator' && (
                <div class="hint">
                  <Foreign text={actor.name} />
                </div>
              )}
            </div>
          ),
        },
        {
          head: w.what,
          isMain: true,
          cell: (entry) => (
            <div class="break">
              <code>{entry.operation}</code>
              <div class="hint">
                <Foreign text={aboutOf(entry)} />
              </div>
            </div>
          ),
        },
        {
          head: w.where,
          cell: ({ address, userAgent }) => (
            <span class="break" title={userAgent ?? undefined}>
              {address}
            </span>
          ),
        },
        { head: w.outcome, cell: (entry) => <Outcome of={entry} /> },
      ]}
    />
  );
}

function aboutOf({ projectId, target, createdId, changed }: Entry): string {
  return [
    projectId,
    ...Object.values(target),
    createdId && `→ ${createdId}`,
    changed.length > 0 && `${w.fields}: ${changed.join(', ')}`,
  ]
    .filter(Boolean)
    .join(' · ');
}

function Outcome({ of: { status, code, replayed } }: { of: Entry }) {
  if (status === null) return <Badge>{w.unknown}</Badge>;
  const [tone, word]: [Tone, string] =
    status < 400 ? ['good', replayed ? w.replayed : w.done] : status < 500 ? ['warn', w.refused] : ['bad', w.failed];
  return (
    <span title={code ?? String(status)}>
      <Badge tone={tone}>{word}</Badge>
    </span>
  );
}
