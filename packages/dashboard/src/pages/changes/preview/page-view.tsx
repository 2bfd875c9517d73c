import { useMemo } from 'preact/hooks';
import { text } from '../../../text.ts';
import { shownText } from '../shown-text.tsx';
import { changedBlocks } from './changed-blocks.ts';
import { drawnPage } from './draw.tsx';
import { parsePage, type PageNode, type ParsedPage } from './parse.ts';

const { changes: w } = text;

/**
 * A page before and after a change; null if it does not exist. The code for that is heavy: load it with
 * `import()`.
 */
export default function PageView({
  path,
  before,
  after,
  isSplit,
}: {
  path: string;
  before: string | null;
  after: string | null;
  isSplit: boolean;
}) {
  const [old, now, changed] = useMemo(() => {
    const pages = [before, after].map((text) => (text === null ? null : parsePage(text, path)));
    const [first = null, second = null] = pages;
    return [first, second, changedBlocks(first, second)] as const;
  }, [path, before, after]);
  return (
    <div class={isSplit ? 'page-views split' : 'page-views'}>
      {isSplit && <Version name={w.before} page={old} changed={changed} kind="before" />}
      {(isSplit || now !== null) && <Version name={w.after} page={now} changed={changed} kind="after" />}
      {!isSplit && now === null && <Version name={w.before} page={old} changed={changed} kind="before" />}
    </div>
  );
}

function Version({
  name,
  page,
  changed,
  kind,
}: {
  name: string;
  page: ParsedPage | null;
  changed: ReadonlySet<PageNode>;
  kind: 'before' | 'after';
}) {
  const content = useMemo(() => page && drawnPage(page, changed), [page, changed]);
  return (
    <section class={`page-view ${kind}`} aria-label={name}>
      <p class="version">{name}</p>
      {page === null ? (
        <p class="hint">{kind === 'before' ? w.isNew : w.isDeleted}</p>
      ) : (
        <>
          {page.problem && <p class="note warn">{w.noMdx(page.problem.line, page.problem.reason)}</p>}
          <div class="page-text" dir="auto">
            {page.title && <div class="heading page-title">{shownText(page.title)}</div>}
            {page.description && <div class="page-description">{shownText(page.description)}</div>}
            {content}
          </div>
        </>
      )}
    </section>
  );
}
