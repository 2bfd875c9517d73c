import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import type { IconNode } from 'lucide';
import { IconButton } from './button.tsx';

/** Actions behind a button, in the browser's own popover. */
export function Menu({ icon, label, children }: { icon: IconNode; label: string; children: ComponentChildren }) {
  const id = useId();
  const popover = useRef<HTMLDivElement>(null);
  return (
    <div class="menu" onKeyDown={(event) => popover.current && step(popover.current, event)}>
      <IconButton icon={icon} label={label} popovertarget={id} />
      <div
        id={id}
        ref={popover}
        popover="auto"
        class="menu-items"
        // Before the chosen action runs: a dialog restores the focus to its previous element, which is the
        // button.
        onClickCapture={() => popover.current?.hidePopover()}
        onToggle={(event: ToggleEvent & { currentTarget: HTMLDivElement }) => {
          if (event.newState === 'open') place(event.currentTarget);
        }}
      >
        {children}
      </div>
    </div>
  );
}

/** Below its button, within the window. */
function place(popover: HTMLElement): void {
  const button = popover.previousElementSibling?.getBoundingClientRect();
  if (!button) return;
  const { offsetWidth, offsetHeight } = popover;
  const left = Math.max(8, Math.min(button.right - offsetWidth, innerWidth - offsetWidth - 8));
  const below = button.bottom + 4;
  const top = below + offsetHeight > innerHeight ? Math.max(8, button.top - offsetHeight - 4) : below;
  popover.style.left = `${left}px`;
  popover.style.top = `${top}px`;
  // A fast user may have moved on with the arrows already.
  if (!popover.contains(document.activeElement)) popover.querySelector<HTMLElement>('button, a')?.focus();
}

/**
 * Up and down move between items, in a circle; also from the button, before the browser reports the menu as
 * open.
 */
function step(popover: HTMLElement, event: KeyboardEvent): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (by === undefined || !popover.matches(':popover-open')) return;
  const items = [...popover.querySelectorAll<HTMLElement>('button, a')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const next = at < 0 ? Math.min(by, 0) : (at + by) % items.length;
  items.at(next)?.focus();
  event.preventDefault();
}
