import { useState } from 'preact/hooks';
import type { Job } from '@docent/client';
import { api, answerOf, onceKey } from '../../api/client.ts';
import { problemOf, type Problem } from '../../api/problem.ts';
import { may } from '../../api/session.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { Confirm, Dialog } from '../../parts/dialog.tsx';
import { CheckBox, TextField } from '../../parts/field.tsx';
import { count } from '../../parts/number.ts';
import { aboutField, ProblemNote } from '../../parts/problem-note.tsx';
import { to } from '../../shell/routes.ts';
import { words } from '../../words.ts';

const { job: w } = words;

/** What a preview has ready: to be looked at, published or dropped. */
export function Pending({ projectId, job, onDone }: { projectId: string; job: Job; onDone: () => void }) {
  const [open, setOpen] = useState<'publish' | 'discard' | null>(null);
  const [once, renew] = useState(onceKey);
  const size = job.pendingChanges;
  const close = () => {
    setOpen(null);
    renew(onceKey());
    onDone();
  };
  return (
    <div class="note pending">
      <div>
        <p>
          <strong>{w.pending}</strong>
        </p>
        {size && <p class="hint">{w.size(count(size.files), count(size.additions), count(size.deletions))}</p>}
      </div>
      <span class="actions">
        <ButtonLink to={to.changes(projectId, job.id)}>{w.seeChanges}</ButtonLink>
        {may('editor', projectId) && (
          <>
            <Button onClick={() => setOpen('discard')}>{w.discard}</Button>
            <Button kind="primary" onClick={() => setOpen('publish')}>
              {w.publish}
            </Button>
          </>
        )}
      </span>
      {open === 'publish' && <PublishDialog projectId={projectId} job={job} onClose={close} />}
      {open === 'discard' && (
        <Confirm
          title={w.discardTitle}
          action={w.discard}
          isDanger
          onConfirm={() =>
            answerOf(
              api.POST('/v2/agent/{projectId}/job/{id}/discard', {
                params: { path: { projectId, id: job.id }, header: { 'Idempotency-Key': once } },
              }),
            )
          }
          onClose={close}
        >
          <p>{w.discardHint}</p>
        </Confirm>
      )}
    </div>
  );
}

function PublishDialog({ projectId, job, onClose }: { projectId: string; job: Job; onClose: () => void }) {
  const [title, setTitle] = useState('');
  const [isDraft, setDraft] = useState(job.draft ?? false);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const [once] = useState(onceKey);
  return (
    <Dialog title={w.publishTitle} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setBusy(true);
          setProblem(undefined);
          answerOf(
            api.POST('/v2/agent/{projectId}/job/{id}/publish', {
              params: { path: { projectId, id: job.id }, header: { 'Idempotency-Key': once } },
              body: { ...(title.trim() ? { title: title.trim() } : {}), ...(isDraft ? { draft: true } : {}) },
            }),
          ).then(onClose, (thrown: unknown) => {
            setProblem(problemOf(thrown));
            setBusy(false);
          });
        }}
      >
        <div class="body">
          <p>{w.publishHint}</p>
          <TextField
            label={w.prTitle}
            hint={w.prTitleHint}
            isOptional
            maxLength={200}
            value={title}
            onValue={setTitle}
            error={aboutField(problem, 'title')}
          />
          <CheckBox label={words.newJob.draft} isOn={isDraft} onChange={setDraft} />
          {problem && <ProblemNote problem={problem} />}
        </div>
        <footer>
          <Button onClick={onClose}>{words.common.cancel}</Button>
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {w.publish}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}
