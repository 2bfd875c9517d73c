import { useState } from 'preact/hooks';
import { Archive, ArchiveRestore, CircleX } from 'lucide';
import type { Job } from '@docent/client';
import { api, answerOf, onceKey } from '../../api/client.ts';
import { problemOf } from '../../api/problem.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { toast } from '../../parts/toast.tsx';
import { words } from '../../words.ts';

const { job: w } = words;

/** What can be done with a job as a whole. Each may be done twice: the second time changes nothing. */
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
