import { api, answerOf } from '../../api/client.ts';
import type { Job } from '@docent/client';
import { useDraft } from '../../shell/draft.ts';
import { text } from '../../text.ts';
import { useAttachments } from './attachments.tsx';
import { Composer } from './composer.tsx';
import { useSendOnce } from './send-once.ts';

const { job: w } = text;

/** Sends the job another message, while it works and after. */
export function FollowUp({ projectId, job, onSent }: { projectId: string; job: Job; onSent: () => void }) {
  const place = `message:${projectId}:${job.id}`;
  const [text, setText, forget] = useDraft(place);
  const attachments = useAttachments(projectId, place);
  const { submit, isBusy, problem } = useSendOnce(place, (body: { prompt: string; attachments?: string[] }, once) =>
    answerOf(
      api.POST('/v2/agent/{projectId}/job/{id}/message', {
        params: { path: { projectId, id: job.id }, header: { 'Idempotency-Key': once } },
        body,
      }),
    ),
  );
  if (job.status === 'archived') return <p class="hint">{w.archivedHint}</p>;
  const send = async () => {
    const { ids } = attachments;
    const sent = await submit({ prompt: text, ...(ids.length > 0 ? { attachments: ids } : {}) });
    if (!sent) return;
    forget();
    attachments.clear();
    onSent();
  };
  return (
    <Composer
      label={w.message}
      hint={job.status === 'active' ? w.messageWhileActive : undefined}
      placeholder={w.messagePlaceholder}
      submit={w.send}
      text={text}
      onText={setText}
      attachments={attachments}
      onSubmit={() => void send()}
      isBusy={isBusy}
      problem={problem}
    />
  );
}
