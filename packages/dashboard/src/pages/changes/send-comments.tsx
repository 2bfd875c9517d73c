import { useRef, useState } from 'preact/hooks';
import { answerOf, api, onceKey } from '../../api/client.ts';
import { problemOf, type Problem } from '../../api/problem.ts';
import { Button } from '../../parts/button.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { toast } from '../../parts/toast.tsx';
import { text } from '../../text.ts';
import { messageOf, type Comments } from './comments.ts';

const { changes: w } = text;

/** Below the changes while there are comments: sends all of them as one message to the job. */
export function SendComments({
  projectId,
  jobId,
  comments,
  onSent,
}: {
  projectId: string;
  jobId: string;
  comments: Comments;
  onSent: () => void;
}) {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const once = useRef({ prompt: '', key: '' });
  if (comments.open.value === 0) return null;
  const send = async () => {
    const sent = comments.all();
    const prompt = messageOf(sent);
    if (once.current.prompt !== prompt) once.current = { prompt, key: onceKey() };
    setBusy(true);
    setProblem(undefined);
    try {
      await answerOf(
        api.POST('/v2/agent/{projectId}/job/{id}/message', {
          params: { path: { projectId, id: jobId }, header: { 'Idempotency-Key': once.current.key } },
          body: { prompt },
        }),
      );
      for (const comment of sent) comments.remove(comment);
      toast(w.sent);
      onSent();
    } catch (thrown) {
      setProblem(problemOf(thrown));
    } finally {
      setBusy(false);
    }
  };
  const ready = comments.ready.value;
  return (
    <div class="send-comments">
      {problem && <ProblemNote problem={problem} />}
      <p>{w.commentsReady(ready)}</p>
      <Button kind="primary" isBusy={isBusy} disabled={ready === 0} onClick={() => void send()}>
        {w.send}
      </Button>
    </div>
  );
}
