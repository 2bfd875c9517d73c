import { useEffect, useMemo, useState } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import { Loaded, Panel } from '../../parts/page.tsx';
import { count } from '../../parts/number.ts';
import { Table, type Column } from '../../parts/table.tsx';
import { text } from '../../text.ts';
import { keyOf, useCounted } from './counted.ts';
import { CsvButton } from './csv-button.tsx';
import { foundPages, loadPages, type PageCounts, type PageRows, type SortBy } from './page-rows.ts';
import { fileNameOf, loadTable } from './tables.ts';
import { Narrow } from './sources.tsx';
import { Change } from './tiles.tsx';
import type { Asked, Shown } from './shown.ts';
import './tables.css';

const { analytics: w } = text;
const FIRST_ROWS = 25;
const MORE_ROWS = 50;
/** The address is updated after a pause in typing. */
const REST_MS = 300;

/** All pages: searched and sorted where the reader is, on one version of the data. */
export function PagesTable({
  subject,
  version,
  onGone,
  beforeName,
  query,
  setQuery,
  narrow,
}: Shown & Asked & { narrow: Asked['setQuery'] }) {
  const { measure, span, before } = subject;
  const pages = useCounted<PageRows>(
    `pages ${measure} ${keyOf(subject, span)}`,
    version,
    (at, signal) => loadPages(subject, at, signal),
    { onGone },
  );
  const earlier = useCounted<PageRows>(
    before && `pages ${measure} ${keyOf(subject, before)}`,
    version,
    (at, signal) => loadPages({ ...subject, span: before ?? span }, at, signal),
    { onGone },
  );
  const [search, setSearch] = useState(query.q ?? '');
  useEffect(() => {
    if (search === (query.q ?? '')) return;
    const timer = setTimeout(() => setQuery({ q: search }), REST_MS);
    return () => clearTimeout(timer);
  }, [search]);
  return (
    <Panel
      title={w.pages}
      id="pages"
      actions={
        <CsvButton
          what={w.pages}
          fileName={fileNameOf(subject, measure)}
          load={() => loadTable(subject, measure, version)}
        />
      }
    >
      <TextField label={w.searchPages} type="search" value={search} onValue={setSearch} spellcheck={false} />
      <Loaded from={pages} rows={8}>
        {(found) => <Found {...{ found, earlier: earlier.data, search, beforeName, query, setQuery, narrow }} />}
      </Loaded>
    </Panel>
  );
}

function Found({
  found: { rows, count: all },
  earlier,
  search,
  beforeName,
  query,
  setQuery,
  narrow,
}: {
  found: PageRows;
  earlier: PageRows | undefined;
  search: string;
  narrow: Asked['setQuery'];
} & Pick<Shown & Asked, 'beforeName' | 'query' | 'setQuery'>) {
  const by: SortBy = query.sort === 'human' || query.sort === 'ai' ? query.sort : 'total';
  const [shown, setShown] = useState(FIRST_ROWS);
  useEffect(() => setShown(FIRST_ROWS), [search, by]);
  const matching = useMemo(() => foundPages(rows, search, by), [rows, search, by]);
  const known = useMemo(() => earlier && new Map(earlier.rows.map((row) => [row.path, row])), [earlier]);
  // In a longer listing, a missing row may be in the part that was not read.
  const isWhole = earlier !== undefined && earlier.rows.length === earlier.count;
  const beforeOf = (path: string): number | undefined => known?.get(path)?.[by] ?? (isWhole ? 0 : undefined);

  const columns: Column<PageCounts>[] = [
    {
      head: w.page,
      isMain: true,
      cell: ({ path }) => <Narrow text={path} onClick={() => narrow({ page: path })} />,
    },
    ...(['human', 'ai', 'total'] as const).map((kind): Column<PageCounts> => ({
      head: (
        <button type="button" class="sort" onClick={() => setQuery({ sort: kind === 'total' ? undefined : kind })}>
          {w.kinds[kind]} <span aria-hidden="true">{by === kind ? '↓' : ''}</span>
        </button>
      ),
      label: w.kinds[kind],
      align: 'end',
      sort: by === kind ? 'descending' : 'none',
      cell: (row) => count(row[kind]),
    })),
  ];
  if (beforeName !== null) {
    columns.push({
      head: w.trend,
      align: 'end',
      cell: (row) => {
        const was = beforeOf(row.path);
        return was === undefined ? '' : <Change now={row[by]} before={was} of={beforeName} />;
      },
    });
  }
  return (
    <>
      {rows.length < all && <p class="hint">{w.cut(count(rows.length), count(all))}</p>}
      {matching.length === 0 ? (
        <p class="hint">{search ? w.noPages(search) : w.nothing}</p>
      ) : (
        <Table caption={w.pages} columns={columns} rows={matching.slice(0, shown)} keyOf={({ path }) => path} />
      )}
      <div class="after-list">
        <span class="hint" role="status">
          {w.ofPages(count(Math.min(shown, matching.length)), count(search ? matching.length : all))}
        </span>
        {matching.length > shown && <Button onClick={() => setShown(shown + MORE_ROWS)}>{text.common.more}</Button>}
      </div>
    </>
  );
}
