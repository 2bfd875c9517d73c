import { useState } from 'preact/hooks';
import type { CreatedKey, Key } from '@docent/client';
import { api, answerOf, onceKey } from '../../api/client.ts';
import { problemOf, type Problem } from '../../api/problem.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Select } from '../../parts/field.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { lastProject } from '../../shell/current-project.ts';
import { text } from '../../text.ts';
import { ShownKey } from './shown-key.tsx';

const { keys: w } = text;

/** Gives a key another secret; the old one works for a chosen time. */
export function RotateDialog({ of: key, onClose }: { of: Key; onClose: () => void }) {
  const [overlap, setOverlap] = useState('86400');
  const [made, setMade] = useState<CreatedKey>();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const [once] = useState(onceKey);
  if (made)
    return (
      <ShownKey made={made} projectId={made.projectIds?.[0] ?? lastProject.peek() ?? 'PROJECT'} onClose={onClose} />
    );
  return (
    <Dialog title={w.rotateTitle(key.name)} onClose={onClose}>
      <div class="body">
        <p>{w.rotateHint}</p>
        <Select label={w.overlap} value={overlap} onValue={setOverlap} options={w.overlaps} />
        {problem && <ProblemNote problem={problem} />}
      </div>
      <footer>
        <Button onClick={onClose}>{text.common.cancel}</Button>
        <Button
          kind="primary"
          isBusy={isBusy}
          onClick={() => {
            setBusy(true);
            answerOf(
              api.POST('/v1/keys/{keyId}/rotate', {
                params: { path: { keyId: key.id }, header: { 'Idempotency-Key': once } },
                body: { overlapSeconds: Number(overlap) },
              }),
            ).then(setMade, (thrown: unknown) => {
              setProblem(problemOf(thrown));
              setBusy(false);
            });
          }}
        >
          {w.rotateSubmit}
        </Button>
      </footer>
    </Dialog>
  );
}
