import { useEffect, useState } from 'preact/hooks';
import { Archive, ArchiveRestore, CircleX, RotateCw } from 'lucide';
import type { Job } from '@docent/client';
import { api, answerOf, onceKey } from '../../api/client.ts';
import { problemOf } from '../../api/problem.ts';
import { useSubmit } from '../../api/submit.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { toast } from '../../parts/toast.tsx';
import { useProjects } from '../../shell/current-project.ts';
import { text } from '../../text.ts';

const { job: w } = text;

/** Actions on the whole job. Each is safe to repeat. */
export function JobActions({ projectId, job, onDone }: { projectId: string; job: Job; onDone: () => void }) {
  const [asking, ask] = useState<'cancel' | 'archive' | null>(null);
  const [isBusy, setBusy] = useState(false);
  const keyed = (once: string) => ({ path: { projectId, id: job.id }, header: { 'Idempotency-Key': once } });
  const done = (said: string) => {
    toast(said);
    onDone();
  };
  const archive = async (once: string) => {
    await answerOf(api.POST('/v2/agent/{projectId}/job/{id}/archive', { params: keyed(once) }));
    done(w.archivedToast);
  };
  const directly = (act: (once: string) => Promise<void>) => {
    setBusy(true);
    act(onceKey())
      .catch((thrown: unknown) => toast(problemOf(thrown).message))
      .finally(() => setBusy(false));
  };
  return (
    <>
      {mayRetry(job) && <Retry projectId={projectId} job={job} onDone={onDone} />}
      {job.status === 'active' && (
        <Button icon={CircleX} onClick={() => ask('cancel')}>
          {w.cancel}
        </Button>
      )}
      {job.status === 'archived' ? (
        <Button
          icon={ArchiveRestore}
          isBusy={isBusy}
          onClick={() =>
            directly(async (once) => {
              await answerOf(api.POST('/v2/agent/{projectId}/job/{id}/unarchive', { params: keyed(once) }));
              done(w.unarchivedToast);
            })
          }
        >
          {w.unarchive}
        </Button>
      ) : (
        <Button
          icon={Archive}
          isBusy={isBusy}
          onClick={() => (job.status === 'active' ? ask('archive') : directly(archive))}
        >
          {w.archive}
        </Button>
      )}
      {asking === 'cancel' && (
        <Confirm
          title={w.cancelTitle}
          action={w.cancelSubmit}
          isDanger
          onConfirm={async (once) => {
            await answerOf(api.POST('/v2/agent/{projectId}/job/{id}/cancel', { params: keyed(once) }));
            done(w.cancelledToast);
          }}
          onClose={() => ask(null)}
        >
          <p>{w.cancelHint}</p>
        </Confirm>
      )}
      {asking === 'archive' && (
        <Confirm title={w.archiveTitle} action={w.archive} isDanger onConfirm={archive} onClose={() => ask(null)}>
          <p>{w.archiveHint}</p>
        </Confirm>
      )}
    </>
  );
}

function mayRetry({ status, outcome }: Job): boolean {
  return (status === 'completed' || status === 'failed') && (outcome === 'failed' || outcome === 'refused');
}

/**
 * Pressed twice it is sent with one key, and done once. A job of the built-in editor is retried with the
 * model that was set up since.
 */
function Retry({ projectId, job, onDone }: { projectId: string; job: Job; onDone: () => void }) {
  const { isBusy, problem, submit } = useSubmit();
  const model = useProjects().data?.find(({ id }) => id === projectId)?.model;
  const other = job.model === 'builtin' && model !== undefined && model !== 'builtin' ? model : null;
  useEffect(() => {
    if (problem) toast(problem.message);
  }, [problem]);
  const retry = (once: string) =>
    answerOf(
      api.POST('/v2/agent/{projectId}/job/{id}/retry', {
        params: { path: { projectId, id: job.id }, header: { 'Idempotency-Key': once } },
        body: other === null ? {} : { model: other },
      }),
    );
  return (
    <Button
      icon={RotateCw}
      isBusy={isBusy}
      onClick={() =>
        submit(retry, () => {
          toast(w.retriedToast);
          onDone();
        })
      }
    >
      {other === null ? w.retry : w.retryWith(other)}
    </Button>
  );
}
