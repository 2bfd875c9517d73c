import { readDiff, type components, type DiffFile } from '@docent/client';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { answerOf, api } from '../../api/client.ts';
import { isKnown, useResource } from '../../api/resource.ts';
import { may } from '../../api/session.ts';
import { Fold } from '../../parts/fold.tsx';
import { Empty, Loaded, Page } from '../../parts/page.tsx';
import { count } from '../../parts/number.ts';
import { lazyPage, type PageProps } from '../../shell/lazy-page.tsx';
import { useQuery } from '../../shell/query.ts';
import { to } from '../../shell/routes.ts';
import { text } from '../../text.ts';
import { ChangesHead } from './changes-head.tsx';
import { choicesOf, type JobDiff } from './choices.ts';
import { Comments } from './comments.ts';
import { FileBlock, linesOf } from './file-block.tsx';
import { FileTree, Lines } from './file-tree.tsx';
import { Preview } from './preview/preview.tsx';
import { SendComments } from './send-comments.tsx';
import { shownText } from './shown-text.tsx';
import { Toolbar, useLayout } from './toolbar.tsx';
import './changes.css';

const { changes: w } = text;
const Effect = lazyPage(() => import('./effect.tsx'));

/** While the job works. */
const BUSY_MS = 2_000;
const WINDOW_LINES = 80;

/**
 * `/projects/{p}/jobs/{job}/changes`: a job's changes, as a diff and as readers will see them, and its pull
 * request.
 */
export default function Changes({ params }: PageProps) {
  const { projectId = '', jobId = '' } = params;
  const path = { projectId, id: jobId };
  const [isActive, setActive] = useState(true);
  const everyMs = isActive ? BUSY_MS : 15_000;
  const job = useResource(
    `job ${projectId} ${jobId}`,
    (signal) => answerOf(api.GET('/v2/agent/{projectId}/job/{id}', { params: { path }, signal })),
    { everyMs },
  );
  const status = job.data?.status;
  // After the job, and again when it changes, so that neither is older than the job.
  const pull = useResource(
    status ? `pull request ${projectId} ${jobId}` : null,
    async (signal) => {
      const asked = await api.GET('/v2/agent/{projectId}/job/{id}/pull-request', { params: { path }, signal });
      return asked.error?.code === 'pull_request_not_found' ? null : answerOf(Promise.resolve(asked));
    },
    { everyMs },
  );
  const diff = useResource(status ? `diff ${projectId} ${jobId}` : null, (signal) =>
    answerOf(api.GET('/v2/agent/{projectId}/job/{id}/diff', { params: { path }, signal })),
  );
  const review = useResource(
    status ? `review ${projectId} ${jobId}` : null,
    (signal) => answerOf(api.GET('/v2/agent/{projectId}/job/{id}/review', { params: { path }, signal })),
    { everyMs },
  );
  const cited = useResource(
    status ? `citations ${projectId} ${jobId}` : null,
    (signal) => answerOf(api.GET('/v2/agent/{projectId}/job/{id}/citations', { params: { path }, signal })),
    { everyMs },
  );
  const marker = status && `${status} ${job.data?.updatedAt} ${job.data?.pendingChanges?.files ?? ''}`;
  const before = useRef(marker);
  useEffect(() => {
    if (!status) return;
    setActive(status === 'active');
    if (before.current !== undefined && before.current !== marker) {
      diff.reload();
      pull.reload();
      review.reload();
      cited.reload();
    }
    before.current = marker;
  }, [marker]);
  const reload = () => {
    job.reload();
    pull.reload();
    diff.reload();
    review.reload();
  };
  // The head shows both: the content below it is drawn once its height is known.
  const head = isKnown(pull) && isKnown(review) && isKnown(cited) ? job.data : undefined;
  const merged = pull.data?.state === 'merged' ? pull.data : null;
  const title = (head && (pull.data?.title ?? head.title)) ?? w.title;
  return (
    <Page isWide title={title} lead={<a href={to.job(projectId, jobId)}>{w.toJob}</a>}>
      <Loaded from={{ ...job, data: head }} rows={12}>
        {(found) => (
          <>
            <ChangesHead
              projectId={projectId}
              job={found}
              pull={pull.data ?? null}
              review={review.data}
              onChanged={reload}
            />
            {merged && (
              <Fold class="panel" summary={w.effect.title}>
                {() => <Effect params={{ projectId, prId: merged.id }} />}
              </Fold>
            )}
            <Loaded from={diff} rows={12}>
              {(read) => (
                <Shown
                  projectId={projectId}
                  jobId={jobId}
                  diff={read}
                  cited={cited.data ?? null}
                  isActive={isActive}
                  onSent={reload}
                />
              )}
            </Loaded>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Shown({
  projectId,
  jobId,
  diff,
  cited,
  isActive,
  onSent,
}: {
  projectId: string;
  jobId: string;
  diff: JobDiff;
  cited: components['schemas']['JobCitations'] | null;
  isActive: boolean;
  onSent: () => void;
}) {
  const [query, setQuery] = useQuery();
  const [layout, setLayout] = useLayout();
  const [comments] = useState(() => new Comments(jobId));
  const choices = choicesOf(diff);
  const choice = choices.find(({ id }) => id === query.of) ?? choices[0];
  const { files, notes, first } = useMemo(() => {
    const read = readDiff(choice?.diff ?? '');
    return { ...read, first: inWindow(read.files) };
  }, [choice?.diff]);
  if (!choice)
    return (
      <Empty title={w.empty}>
        <p>{isActive ? w.emptyActive : w.emptyHint}</p>
      </Empty>
    );
  const isPreview = query.view === 'preview';
  const totals = {
    additions: files.reduce((sum, file) => sum + file.additions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
  };
  return (
    <>
      <Toolbar
        choices={choices}
        choice={choice.id}
        onChoice={(of) => setQuery({ of: of === choices[0]?.id ? undefined : of })}
        view={isPreview ? 'preview' : 'lines'}
        onView={(view) => setQuery({ view: view === 'preview' ? view : undefined })}
        layout={layout}
        onLayout={setLayout}
      >
        {w.changedFiles(count(files.length), files.length)} <Lines of={totals} />
      </Toolbar>
      {cited && cited.claimsWithoutSource > 0 && <p class="note warn">{w.withoutSource(cited.claimsWithoutSource)}</p>}
      {choice.isCut && files.length === 0 && <p class="note warn">{w.withheld}</p>}
      <div class="changes">
        <FileTree files={files} onChoose={(file) => goTo(files.indexOf(file))} />
        <div class="changed-files">
          {isPreview ? (
            <Preview key={choice.id} {...{ projectId, jobId, choice, files, layout, idOf }} />
          ) : (
            files.map((file: DiffFile, i) => (
              <FileBlock
                key={`${choice.id} ${file.path}`}
                id={idOf(i)}
                file={file}
                isFirst={i < first}
                layout={layout}
                comments={may('editor', projectId) ? comments : null}
                citations={cited?.citations.filter(({ page }) => page === file.path) ?? []}
              />
            ))
          )}
          {notes.map((note, i) => (
            <p key={i} class="hint">
              {shownText(note)}
            </p>
          ))}
        </div>
      </div>
      <SendComments projectId={projectId} jobId={jobId} comments={comments} onSent={onSent} />
    </>
  );
}

/** How many files are in the window when the page is opened; more rather than less. */
function inWindow(files: readonly DiffFile[]): number {
  let lines = 0;
  const next = files.findIndex((file) => {
    if (lines > WINDOW_LINES) return true;
    // Its head takes about two.
    lines += linesOf(file) + 2;
    return false;
  });
  return next === -1 ? files.length : next;
}

const idOf = (i: number) => `file-${i}`;

function goTo(i: number): void {
  const element = document.getElementById(idOf(i));
  if (!element) return;
  element.scrollIntoView({ block: 'start' });
  element.focus({ preventScroll: true });
}
