import type { DiffFile, components } from '@docent/client';
import type { ComponentType } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { answerOf, api } from '../../../api/client.ts';
import { problemOf, type Problem } from '../../../api/problem.ts';
import { isKnown, useResource } from '../../../api/resource.ts';
import { Button } from '../../../parts/button.tsx';
import { Loaded, Waiting } from '../../../parts/page.tsx';
import { ProblemNote } from '../../../parts/problem-note.tsx';
import { bytes } from '../../../parts/number.ts';
import { text } from '../../../text.ts';
import type { Choice } from '../choices.ts';
import type { Layout } from '../diff-lines.tsx';
import { Near } from '../near.tsx';
import { shownText } from '../shown-text.tsx';

const { changes: w } = text;

const PAGE = /\.(?:mdx?|markdown)$/i;
/** Longer pages are only drawn on request, because that takes a moment. */
const LONG = 60_000;
const HEIGHT_PX = 500;

/** As many as may be visible when the page is opened: they appear together, so that none moves another. */
const FIRST = 8;

type PageViewType = ComponentType<{ path: string; before: string | null; after: string | null; isSplit: boolean }>;
type ReadPage = components['schemas']['ChangedPage'];

let PageView: PageViewType | undefined;

/** Heavy: loaded when a page is to be drawn. */
async function loadPageView(): Promise<PageViewType> {
  PageView = (await import('./page-view.tsx')).default;
  return PageView;
}

const isDrawn = ({ path, status }: DiffFile) => PAGE.test(path) && status !== 'renamed';

/** The changed pages as readers will see them, before and after. */
export function Preview({
  projectId,
  jobId,
  choice,
  files,
  layout,
  idOf,
}: {
  projectId: string;
  jobId: string;
  choice: Choice;
  files: readonly DiffFile[];
  layout: Layout;
  idOf: (i: number) => string;
}) {
  const of = choice.pagesOf ?? undefined;
  const read = (path: string, signal?: AbortSignal) =>
    answerOf(
      api.GET('/v2/agent/{projectId}/job/{id}/diff/page', {
        params: { path: { projectId, id: jobId }, query: { path, of } },
        signal,
      }),
    );
  const first = useResource(of ? `first pages ${projectId} ${jobId} ${of}` : null, async (signal) => {
    const pages = new Map<string, ReadPage>();
    const keep = async ({ path }: DiffFile) => pages.set(path, await read(path, signal));
    // Failed ones are requested again at their position, and show the reason.
    await Promise.allSettled([loadPageView(), ...files.filter(isDrawn).slice(0, FIRST).map(keep)]);
    return pages;
  });
  if (choice.pagesOf === null) return <p class="note">{w.noPagesOfTurn}</p>;
  if (!files.some(({ path }) => PAGE.test(path))) return <p class="note">{w.noPages}</p>;
  if (!isKnown(first)) return <Waiting rows={12} />;
  return (
    <>
      {files.map((file, i) => (
        <section key={file.path} class="file-block" id={idOf(i)} tabIndex={-1} aria-label={file.path}>
          <header>
            <span class="break">
              <bdi>{shownText(file.path)}</bdi>
            </span>
          </header>
          {isDrawn(file) ? (
            <Near height={HEIGHT_PX} isFirst={first.data?.has(file.path)}>
              {() => (
                <ChangedPage
                  name={`page ${projectId} ${jobId} ${of} ${file.path}`}
                  read={(signal) => read(file.path, signal)}
                  first={first.data?.get(file.path)}
                  isSplit={layout === 'split'}
                  {...{ choice, file }}
                />
              )}
            </Near>
          ) : (
            <p class="hint about-file">{file.status === 'renamed' ? w.movedAsItWas : w.noPage}</p>
          )}
        </section>
      ))}
    </>
  );
}

function ChangedPage({
  name,
  read,
  first,
  choice,
  file,
  isSplit,
}: {
  /** The argument of `read`. */
  name: string;
  read: (signal: AbortSignal) => Promise<ReadPage>;
  /** An already loaded page. */
  first: ReadPage | undefined;
  choice: Choice;
  file: DiffFile;
  isSplit: boolean;
}) {
  const [isAsked, ask] = useState(first === undefined);
  const page = useResource(isAsked ? name : null, read);
  const before = useRef(choice.diff);
  useEffect(() => {
    if (before.current === choice.diff) return;
    before.current = choice.diff;
    ask(true);
    page.reload();
  }, [choice.diff]);
  const [View, setView] = useState(() => PageView);
  const [problem, setProblem] = useState<Problem>();
  const [isWanted, setWanted] = useState(false);
  useEffect(() => {
    if (View) return;
    loadPageView().then(
      (loaded) => setView(() => loaded),
      (thrown: unknown) => setProblem(problemOf(thrown)),
    );
  }, []);
  if (problem) return <ProblemNote problem={problem} />;
  return (
    <Loaded from={{ ...page, data: page.data ?? first }} rows={6}>
      {({ kept, before: old, after }) => {
        if (!kept) return <p class="hint about-file">{w.notKept}</p>;
        const length = (old?.length ?? 0) + (after?.length ?? 0);
        if (length > LONG && !isWanted)
          return (
            <p class="folded">
              <Button onClick={() => setWanted(true)}>{w.drawLong(bytes(length))}</Button>
            </p>
          );
        if (!View) return <Waiting rows={6} />;
        return <View path={file.path} before={old} after={after} isSplit={isSplit} />;
      }}
    </Loaded>
  );
}
