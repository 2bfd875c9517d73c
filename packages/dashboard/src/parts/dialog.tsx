import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { X } from 'lucide';
import type { Problem } from '../api/problem.ts';
import { useSubmit } from '../api/submit.ts';
import { text } from '../text.ts';
import { Button, IconButton } from './button.tsx';
import { ProblemNote } from './problem-note.tsx';

/** The browser's own dialog: keeps the focus in, closes on Escape, gives the focus back. */
export function Dialog({
  title,
  onClose,
  children,
  isWide,
  mayClose = true,
}: {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  isWide?: boolean;
  mayClose?: boolean;
}) {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const dialog = ref.current;
    const before = document.activeElement;
    dialog?.showModal();
    // Otherwise it begins at the button that closes it.
    dialog?.querySelector<HTMLElement>('.body :is(input, textarea, select):not(:disabled)')?.focus();
    return () => {
      dialog?.close();
      // By now the dialog may be removed from the page, where closing it does not restore the focus; its
      // opener may be removed or hidden, too.
      for (const place of [before, document.querySelector('main h1')]) {
        if (!(place instanceof HTMLElement) || place === document.body) continue;
        place.focus({ preventScroll: true });
        if (document.activeElement === place) return;
      }
    };
  }, []);
  return (
    <dialog
      ref={ref}
      class={isWide ? 'wide' : ''}
      aria-labelledby={id}
      {...{ closedby: mayClose ? 'closerequest' : 'none' }}
      // A second Escape closes it without asking: required reading stays open.
      onClose={({ currentTarget: dialog }) => {
        // Also closes when it is removed from the page.
        if (!dialog.isConnected) return;
        if (mayClose) onClose();
        else dialog.showModal();
      }}
      onCancel={(event) => {
        event.preventDefault();
        if (mayClose) onClose();
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        {mayClose && <IconButton icon={X} label={text.common.close} onClick={onClose} />}
      </header>
      {children}
    </dialog>
  );
}

/** A form in a dialog. It stays open with the reason if it could not be sent. */
export function FormDialog({
  title,
  isWide,
  children,
  submit,
  isDanger,
  isReady = true,
  sending: { isBusy, problem },
  onSubmit,
  onClose,
}: {
  title: string;
  isWide?: boolean;
  children: ComponentChildren;
  /** The text of the button. */
  submit: string;
  isDanger?: boolean;
  isReady?: boolean;
  sending: { isBusy: boolean; problem: Problem | undefined };
  onSubmit: () => void;
  onClose: () => void;
}) {
  return (
    <Dialog title={title} isWide={isWide ?? false} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        <div class="body">
          {children}
          {problem && <ProblemNote problem={problem} />}
        </div>
        <footer>
          <Button onClick={onClose}>{text.common.cancel}</Button>
          <Button kind={isDanger ? 'danger' : 'primary'} type="submit" isBusy={isBusy} disabled={!isReady}>
            {submit}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

/** Shows something once: only its button closes it. */
export function OnceDialog({
  title,
  isWide,
  children,
  done,
  onClose,
}: {
  title: string;
  isWide?: boolean;
  children: ComponentChildren;
  done: string;
  onClose: () => void;
}) {
  return (
    <Dialog title={title} isWide={isWide ?? false} mayClose={false} onClose={onClose}>
      <div class="body">{children}</div>
      <footer>
        <Button kind="primary" onClick={onClose}>
          {done}
        </Button>
      </footer>
    </Dialog>
  );
}

/** Asks before something that cannot be undone, and stays open with the reason if it could not be done. */
export function Confirm({
  title,
  children,
  action,
  isDanger,
  isReady = true,
  onConfirm,
  onClose,
}: {
  title: string;
  children: ComponentChildren;
  action: string;
  isDanger?: boolean;
  /** Whether the required text is typed. */
  isReady?: boolean;
  /** Takes an `Idempotency-Key`: see `useSubmit`. */
  onConfirm: (once: string) => Promise<unknown>;
  onClose: () => void;
}) {
  const { isBusy, problem, submit } = useSubmit();
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="body">{children}</div>
      {problem && <ProblemNote problem={problem} />}
      <footer>
        <Button onClick={onClose}>{text.common.cancel}</Button>
        <Button
          kind={isDanger ? 'danger' : 'primary'}
          isBusy={isBusy}
          disabled={!isReady}
          onClick={() => submit(onConfirm, onClose)}
        >
          {action}
        </Button>
      </footer>
    </Dialog>
  );
}
