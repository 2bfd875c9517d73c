import type { ComponentChildren } from 'preact';

export interface Column<T> {
  /** The column's heading; empty for a column of buttons. */
  head: ComponentChildren;
  /** The label before the value on a narrow screen. */
  label?: string;
  cell: (row: T) => ComponentChildren;
  align?: 'end';
  /** Set if the table is sorted by it. */
  sort?: 'ascending' | 'descending' | 'none';
  isMain?: boolean;
}

/** The main column of a table of pages. */
export function pathColumn<T extends { path: string }>(head: string): Column<T> {
  return {
    head,
    isMain: true,
    cell: ({ path }) => (
      <bdi class="path" title={path}>
        {path}
      </bdi>
    ),
  };
}

/** Rows and columns; on a narrow screen each row is a card. */
export function Table<T>({
  caption,
  columns,
  rows,
  keyOf,
  mayScroll,
}: {
  caption: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string;
  /** If no element in it can have the focus, and it may overflow: the keyboard can scroll it. */
  mayScroll?: boolean;
}) {
  return (
    <div class="table-scroll" {...(mayScroll ? { role: 'region' as const, 'aria-label': caption, tabIndex: 0 } : {})}>
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column, i) => (
              <th key={i} scope="col" class={column.align} aria-sort={column.sort}>
                {column.head || <span class="unseen">·</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column, i) => (
                <td
                  key={i}
                  class={`${column.align ?? ''} ${column.isMain ? 'main' : ''}`}
                  data-label={column.label ?? (typeof column.head === 'string' ? column.head : '')}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
