import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Problem } from '../../api/problem.ts';
import { Button } from '../../parts/button.tsx';
import { TextArea } from '../../parts/field.tsx';
import { count } from '../../parts/number.ts';
import { aboutField, ProblemNote } from '../../parts/problem-note.tsx';
import { isApple } from '../../shell/shortcuts.tsx';
import { text } from '../../text.ts';
import { AddFiles, AttachmentList, type Attachments } from './attachments.tsx';

const { newJob: w } = text;
const LONGEST = 32_768;
/** The key that is pressed together with Enter. */
export const SEND_KEY = isApple ? w.sentWith.mac : w.sentWith.other;

/** The editor of a prompt, with files: chosen, dropped or pasted. Ctrl or ⌘ and Enter sends it. */
export function Composer({
  label,
  hint,
  placeholder,
  submit,
  isLarge,
  text: value,
  onText,
  attachments,
  onSubmit,
  isBusy,
  problem,
  children,
}: {
  label: string;
  hint?: string;
  placeholder: string;
  /** The button's label. */
  submit: string;
  isLarge?: boolean;
  text: string;
  onText: (text: string) => void;
  attachments: Attachments;
  onSubmit: () => void;
  isBusy: boolean;
  problem: Problem | undefined;
  children?: ComponentChildren;
}) {
  const [isOver, setOver] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const surplus = value.length - LONGEST;
  const maySend = value.trim() !== '' && surplus <= 0 && !attachments.isSending;
  return (
    <form
      ref={form}
      class={`composer ${isLarge ? 'large' : ''} ${isOver ? 'over' : ''}`}
      onSubmit={(event) => {
        event.preventDefault();
        if (maySend) onSubmit();
      }}
      onDragOver={(event) => {
        if (!event.dataTransfer?.types.includes('Files')) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        if (!event.dataTransfer?.files.length) return;
        event.preventDefault();
        setOver(false);
        attachments.add(event.dataTransfer.files);
      }}
    >
      <TextArea
        label={label}
        hint={hint}
        placeholder={isOver ? text.attachments.drop : placeholder}
        rows={3}
        value={value}
        onValue={onText}
        error={surplus > 0 ? w.tooLong(count(surplus)) : aboutField(problem, 'prompt')}
        onPaste={(event) => {
          const files = event.clipboardData?.files;
          if (!files?.length) return;
          event.preventDefault();
          attachments.add(files);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || event.isComposing) return;
          event.preventDefault();
          form.current?.requestSubmit();
        }}
      />
      <AttachmentList of={attachments} />
      {children}
      {problem && <Refusal problem={problem} />}
      <div class="composer-end">
        <AddFiles of={attachments} />
        <span class="hint">{attachments.isSending ? text.attachments.wait : w.sendHint(SEND_KEY)}</span>
        <Button kind="primary" type="submit" isBusy={isBusy} disabled={!maySend}>
          {submit}
        </Button>
      </div>
    </form>
  );
}

/** A reached limit is not an error. */
function Refusal({ problem }: { problem: Problem }) {
  if (problem.status !== 429) return <ProblemNote problem={problem} />;
  return (
    <div class="note warn" role="alert">
      <div>
        <p>
          <strong>{w.waitAWhile}</strong>
        </p>
        <p>{problem.message}</p>
        <p>{w.kept}</p>
      </div>
    </div>
  );
}
