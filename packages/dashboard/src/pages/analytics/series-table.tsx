import { useState } from 'preact/hooks';
import { count } from '../../parts/number.ts';
import { Table, type Column } from '../../parts/table.tsx';
import { text } from '../../text.ts';
import type { Mark } from './chart.tsx';
import type { Point, Series } from './counted.ts';
import { instantName } from './names.ts';

const { analytics: w } = text;

/** The chart's data as a table: for keyboards, screen readers, and copying. The newest first. */
export function SeriesTable({
  series,
  marks,
  hasBefore,
}: {
  series: Series;
  marks: readonly Mark[];
  hasBefore: boolean;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="series-table" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{w.asTable}</summary>
      {isOpen && (
        <Table
          caption={w.overTime}
          mayScroll
          rows={series.points.toReversed()}
          keyOf={({ at }) => String(at)}
          columns={columnsOf(series, marks, hasBefore)}
        />
      )}
    </details>
  );
}

function columnsOf({ unit, points, isOpen }: Series, marks: readonly Mark[], hasBefore: boolean): Column<Point>[] {
  const open = isOpen ? points.at(-1) : undefined;
  const columns: Column<Point>[] = [
    {
      head: w.units[unit],
      isMain: true,
      cell: (point) => `${instantName(point.at, unit)}${point === open ? ` · ${w.soFar}` : ''}`,
    },
    ...(['human', 'ai', 'total'] as const).map((kind): Column<Point> => ({
      head: w.kinds[kind],
      align: 'end',
      cell: ({ now }) => count(now[kind]),
    })),
  ];
  if (hasBefore) {
    columns.push({
      head: w.kinds.before,
      align: 'end',
      cell: ({ before }) => (before ? count(before.counts.total) : '–'),
    });
  }
  if (marks.length > 0) {
    columns.push({
      head: w.marks,
      cell: ({ at }) => (
        <bdi class="break">
          {marks
            .filter((each) => each.at === at)
            .map(({ title }) => title)
            .join(', ')}
        </bdi>
      ),
    });
  }
  return columns;
}
