import { useEffect, useRef, useState } from 'preact/hooks';
import type { Job, operations } from '@docent/client';
import { session } from '../../api/session.ts';
import { Button } from '../../parts/button.tsx';
import { Select, TextField } from '../../parts/field.tsx';
import { isDay, startOf } from '../../shell/local-day.ts';
import { text } from '../../text.ts';
import { WAITING } from './job-badge.tsx';

const { jobs: w } = text;

type Query = Record<string, string>;
type ListQuery = NonNullable<operations['listJobs']['parameters']['query']>;

const NAMES = ['state', 'q', 'createdBy', 'createdFrom', 'createdTo', 'hasPullRequest'] as const;
const TYPING_MS = 250;

/** The list's filters in the address, as the API takes them; values that it would refuse are left out. */
export function filtersOf(query: Query): ListQuery {
  const { state = '', q, createdBy, createdFrom, createdTo, hasPullRequest } = query;
  return {
    ...stateFilter(state),
    ...(q?.trim() ? { q: q.trim().slice(0, 200) } : {}),
    ...(createdBy && /^(?:operator|automation|(?:key|automation|person):[\w-]{1,64})$/.test(createdBy)
      ? { createdBy }
      : {}),
    ...(isDay(createdFrom) ? { createdFrom: startOf(createdFrom) } : {}),
    ...(isDay(createdTo) ? { createdTo: startOf(createdTo, 1) } : {}),
    ...(hasPullRequest === 'true' || hasPullRequest === 'false' ? { hasPullRequest: hasPullRequest === 'true' } : {}),
  };
}

function stateFilter(state: string): ListQuery {
  if (state === 'waiting') return WAITING;
  if (state === 'archived') return { status: ['archived'] };
  return Object.hasOwn(w.states, state) ? { state: [state as Job['state']] } : {};
}

export function isFiltered(query: Query): boolean {
  return NAMES.some((name) => query[name]);
}

export const NO_FILTERS: Record<string, undefined> = Object.fromEntries(NAMES.map((name) => [name, undefined]));

/** @param seen jobs whose creators can be chosen */
export function Filters({
  query,
  onChange,
  seen,
}: {
  query: Query;
  onChange: (changes: Record<string, string | undefined>) => void;
  seen: readonly Job[];
}) {
  return (
    <search class="job-filters" aria-label={w.filters}>
      <Search value={query.q ?? ''} onValue={(q) => onChange({ q })} />
      <Select
        label={w.state}
        value={query.state ?? ''}
        onValue={(state) => onChange({ state })}
        options={[['', w.anyState], ['waiting', w.waitsForYou], ...Object.entries(w.states), ['archived', w.archived]]}
      />
      <Select
        label={w.createdBy}
        value={query.createdBy ?? ''}
        onValue={(createdBy) => onChange({ createdBy })}
        options={creators(seen, query.createdBy)}
      />
      <Select
        label={w.pullRequest}
        value={query.hasPullRequest ?? ''}
        onValue={(hasPullRequest) => onChange({ hasPullRequest })}
        options={[
          ['', w.any],
          ['true', w.withPullRequest],
          ['false', w.withoutPullRequest],
        ]}
      />
      <TextField
        label={w.from}
        type="date"
        max={query.createdTo}
        value={query.createdFrom ?? ''}
        onValue={(createdFrom) => onChange({ createdFrom })}
      />
      <TextField
        label={w.until}
        type="date"
        min={query.createdFrom}
        value={query.createdTo ?? ''}
        onValue={(createdTo) => onChange({ createdTo })}
      />
      {isFiltered(query) && (
        <Button kind="quiet" onClick={() => onChange(NO_FILTERS)}>
          {w.clear}
        </Button>
      )}
    </search>
  );
}

/** The address is updated after a pause in typing. */
function Search({ value, onValue }: { value: string; onValue: (value: string) => void }) {
  const [typed, setTyped] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => setTyped(value), [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <TextField
      label={text.common.search}
      type="search"
      placeholder={w.search}
      maxLength={200}
      value={typed}
      onValue={(next) => {
        setTyped(next);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => onValue(next), TYPING_MS);
      }}
    />
  );
}

function creators(seen: readonly Job[], chosen: string | undefined): (readonly [string, string])[] {
  const who = session.caller.value;
  const me = who?.kind === 'person' ? who.person?.id : undefined;
  const options = new Map<string, string>([['', w.anyone]]);
  if (me) options.set(`person:${me}`, w.me);
  options.set('operator', w.creators.operator ?? 'operator');
  options.set('automation', w.anyAutomation);
  for (const { createdBy: by } of seen) {
    if (by?.id && !options.has(`${by.kind}:${by.id}`))
      options.set(`${by.kind}:${by.id}`, `${w.creators[by.kind]}: ${by.name}`);
  }
  if (chosen && !options.has(chosen)) options.set(chosen, chosen);
  return [...options];
}
