import { signal } from '@preact/signals';
import { Code } from './code.tsx';

const SHOWN_MS = 5_000;
const toasts = signal<readonly { id: number; text: string }[]>([]);
let last = 0;

/** Confirms an action for some seconds. Problems are shown in their context instead, and stay. */
export function toast(text: string): void {
  const id = ++last;
  toasts.value = [...toasts.peek(), { id, text }];
  setTimeout(() => (toasts.value = toasts.peek().filter((entry) => entry.id !== id)), SHOWN_MS);
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text }) => (
        <p key={id}>
          <Code text={text} />
        </p>
      ))}
    </div>
  );
}
