import { useState } from 'preact/hooks';
import type { Job } from '@docent/client';
import { api, answerOf } from '../../api/client.ts';
import { isKnown, useResource } from '../../api/resource.ts';
import { may } from '../../api/session.ts';
import { useSubmit } from '../../api/submit.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { Confirm, FormDialog } from '../../parts/dialog.tsx';
import { Select, TextField } from '../../parts/field.tsx';
import { count } from '../../parts/number.ts';
import { fieldsOf } from '../../parts/problem-note.tsx';
import { useFormDraft } from '../../shell/draft.ts';
import { to } from '../../shell/routes.ts';
import { text } from '../../text.ts';
import { Doubts, doubtsOf } from '../changes/review.tsx';

const { job: w } = text;

/**
 * A preview's ready change: to view, publish or discard. An open dialog stays, even if another person was
 * faster.
 */
export function Pending({ projectId, job, onDone }: { projectId: string; job: Job; onDone: () => void }) {
  const [open, setOpen] = useState<'publish' | 'discard' | null>(null);
  const size = job.pendingChanges;
  const close = () => {
    setOpen(null);
    onDone();
  };
  return (
    <>
      {size && (
        <div class="note pending">
          <div>
            <p>
              <strong>{w.pending}</strong>
            </p>
            <p class="hint">{w.size(count(size.files), count(size.additions), count(size.deletions))}</p>
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
        </div>
      )}
      {open === 'publish' && <PublishDialog projectId={projectId} job={job} onClose={close} />}
      {open === 'discard' && (
        <Confirm
          title={w.discardTitle}
          action={w.discard}
          isDanger
          onConfirm={(once) =>
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
    </>
  );
}

/** Asks before a change is published, with any objections. */
export function PublishDialog({ projectId, job, onClose }: { projectId: string; job: Job; onClose: () => void }) {
  const [form, set, forget] = useFormDraft(`publish:${projectId}:${job.id}`, {
    title: '',
    draft: job.draft === null ? '' : String(job.draft),
  });
  const { title, draft } = form;
  const { isBusy, problem, submit } = useSubmit();
  const field = fieldsOf(form, set, problem);
  const path = { projectId, id: job.id };
  const review = useResource(`review ${projectId} ${job.id}`, (signal) =>
    answerOf(api.GET('/v2/agent/{projectId}/job/{id}/review', { params: { path }, signal })),
  );
  const isRead = isKnown(review);
  const doubts = isRead ? doubtsOf(review.data?.pending) : [];
  return (
    <FormDialog
      title={w.publishTitle}
      submit={doubts.length > 0 ? w.publishAnyway : w.publish}
      isDanger={doubts.length > 0}
      isReady={isRead}
      sending={{ isBusy, problem }}
      onSubmit={() => {
        submit(
          (once) =>
            answerOf(
              api.POST('/v2/agent/{projectId}/job/{id}/publish', {
                params: { path, header: { 'Idempotency-Key': once } },
                body: {
                  ...(title.trim() ? { title: title.trim() } : {}),
                  ...(draft ? { draft: draft === 'true' } : {}),
                },
              }),
            ),
          () => {
            forget();
            onClose();
          },
        );
      }}
      onClose={onClose}
    >
      {doubts.length > 0 && <Doubts of={doubts} />}
      <p>{w.publishHint}</p>
      <TextField label={w.prTitle} hint={w.prTitleHint} isOptional maxLength={200} {...field('title')} />
      <Select
        label={text.newJob.draft}
        options={text.newJob.drafts.filter(([value]) => value !== '' || job.draft === null)}
        {...field('draft')}
      />
    </FormDialog>
  );
}
