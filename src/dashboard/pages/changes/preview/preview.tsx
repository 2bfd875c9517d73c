import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { answerOf, api } from '../../../api/client.ts';
import { problemOf, type Problem } from '../../../api/problem.ts';
import { useResource } from '../../../api/resource.ts';
import { Button } from '../../../parts/button.tsx';
import { Loaded, Waiting } from '../../../parts/page.tsx';
import { ProblemNote } from '../../../parts/problem-note.tsx';
import { bytes } from '../../../parts/number.ts';
import { words } from '../../../words.ts';
import type { Choice } from '../choices.ts';
import type { Layout } from '../diff-lines.tsx';
import { Near } from '../near.tsx';
import { shownText } from '../shown-text.tsx';
import type { DiffFile } from '../unified-diff.ts';

const { changes: w } = words;

const PAGE = /\.(?:mdx?|markdown)$/i;
/** Characters beyond which a page is drawn only when it is asked for: that takes a moment. */
const LONG = 60_000;
const HEIGHT_PX = 500;

type PageViewType = ComponentType<{ path: string; before: string | null; after: string | null; isSplit: boolean }>;

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
  if (choice.pagesOf === null) return <p class="note">{w.noPagesOfTurn}</p>;
  if (!files.some(({ path }) => PAGE.test(path))) return <p class="note">{w.noPages}</p>;
  return (
    <>
      {files.map((file, i) => (
        <section key={file.path} class="file-block" id={idOf(i)} tabIndex={-1} aria-label={file.path}>
          <header>
            <span class="break">
              <bdi>{shownText(file.path)}</bdi>
            </span>
          </header>
          {PAGE.test(file.path) && file.status !== 'renamed' ? (
            <Near height={HEIGHT_PX}>
              {() => <ChangedPage {...{ projectId, jobId, choice, file }} isSplit={layout === 'split'} />}
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
  projectId,
  jobId,
  choice,
  file,
  isSplit,
}: {
  projectId: string;
  jobId: string;
  choice: Choice;
  file: DiffFile;
  isSplit: boolean;
}) {
  const of = choice.pagesOf ?? undefined;
  const page = useResource(`page ${projectId} ${jobId} ${of} ${file.path}`, (signal) =>
    answerOf(
      api.GET('/v2/agent/{projectId}/job/{id}/diff/page', {
        params: { path: { projectId, id: jobId }, query: { path: file.path, of } },
        signal,
      }),
    ),
  );
  useEffect(() => page.reload(), [choice.diff]);
  const [PageView, setPageView] = useState<{ of: PageViewType }>();
  const [problem, setProblem] = useState<Problem>();
  const [isWanted, setWanted] = useState(false);
  useEffect(() => {
    import('./page-view.tsx').then(
      (module) => setPageView({ of: module.default }),
      (thrown: unknown) => setProblem(problemOf(thrown)),
    );
  }, []);
  if (problem) return <ProblemNote problem={problem} />;
  return (
    <Loaded from={page} rows={6}>
      {({ kept, before, after }) => {
        if (!kept) return <p class="hint about-file">{w.notKept}</p>;
        const length = (before?.length ?? 0) + (after?.length ?? 0);
        if (length > LONG && !isWanted)
          return (
            <p class="folded">
              <Button onClick={() => setWanted(true)}>{w.drawLong(bytes(length))}</Button>
            </p>
          );
        if (!PageView) return <Waiting rows={6} />;
        return <PageView.of path={file.path} before={before} after={after} isSplit={isSplit} />;
      }}
    </Loaded>
  );
}
