import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Resource } from '../api/resource.ts';
import { text } from '../text.ts';
import { ProblemNote } from './problem-note.tsx';

let isFirst = true;

/** A page: its title, its actions, and its content. Announces page changes to screen readers. */
export function Page({
  title,
  lead,
  actions,
  children,
  isWide,
}: {
  title: string;
  lead?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
  isWide?: boolean;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Docent`;
  }, [title]);
  useEffect(() => {
    if (!isFirst) heading.current?.focus({ preventScroll: true });
    isFirst = false;
  }, []);
  return (
    <div class={`page ${isWide ? 'wide' : ''}`}>
      <header class="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead && <p class="lead">{lead}</p>}
        </div>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/**
 * A resource's data; before it is loaded, a placeholder of the same height; problems above existing data.
 * @param place instead of `rows` bars
 */
export function Loaded<T>({
  from,
  rows = 4,
  place = <Waiting rows={rows} />,
  children,
}: {
  from: Pick<Resource<T>, 'data' | 'problem' | 'reload'>;
  rows?: number;
  place?: ComponentChildren;
  children: (data: T) => ComponentChildren;
}) {
  const isWaiting = !from.problem || from.problem.code === 'session_ended';
  return (
    <>
      {/* A lost connection is reported once, above the content that is still shown. */}
      {from.problem && !(from.problem.code === 'unreachable' && from.data !== undefined) && (
        <ProblemNote problem={from.problem} onRetry={from.reload} />
      )}
      {from.data === undefined ? isWaiting && place : children(from.data)}
    </>
  );
}

export function Waiting({ rows = 4 }: { rows?: number }) {
  return (
    <div class="waiting" role="status" aria-label={text.common.loading}>
      {Array.from({ length: rows }, (_, i) => (
        <div key={i} />
      ))}
    </div>
  );
}

/** An empty list: what it will contain, and how to add the first. */
export function Empty({
  title,
  children,
  action,
}: {
  title: string;
  children?: ComponentChildren;
  action?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
      {action && <div class="actions">{action}</div>}
    </div>
  );
}

export function Panel({
  title,
  actions,
  children,
  id,
}: {
  title?: string;
  actions?: ComponentChildren;
  children: ComponentChildren;
  id?: string;
}) {
  return (
    <section class="panel" id={id}>
      {(title || actions) && (
        <header>
          {title && <h2>{title}</h2>}
          {actions && <div class="actions">{actions}</div>}
        </header>
      )}
      {children}
    </section>
  );
}
