import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { X } from 'lucide';
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

/** Asks before something that cannot be undone, and stays open with the reason where it could not be done. */
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
