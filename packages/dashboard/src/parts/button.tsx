import type { ComponentChildren } from 'preact';
import type { IconNode } from 'lucide';
import type { CursorList } from '../api/list.ts';
import { text } from '../text.ts';
import { Icon } from './icon.tsx';

type Kind = 'primary' | 'plain' | 'quiet' | 'danger';

interface ButtonProps {
  onClick?: (event: MouseEvent) => void;
  title?: string;
  form?: string;
  popovertarget?: string;
  'aria-label'?: string;
  'aria-expanded'?: boolean;
  'aria-pressed'?: boolean;
  'aria-describedby'?: string;
  class?: string;
  kind?: Kind;
  icon?: IconNode;
  /** While its action runs: it cannot be pressed again. */
  isBusy?: boolean;
  type?: 'button' | 'submit';
  disabled?: boolean;
  children?: ComponentChildren;
}

export function Button({ kind = 'plain', icon, isBusy, disabled, type = 'button', children, ...rest }: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      class={`button ${kind} ${rest.class ?? ''}`}
      disabled={disabled || isBusy}
      aria-busy={isBusy}
    >
      {isBusy ? <span class="spinner" aria-hidden="true" /> : icon && <Icon of={icon} />}
      {children}
    </button>
  );
}

/** The end of a list that the server sends in parts. */
export function MoreButton({
  of,
  class: className,
}: {
  of: Pick<CursorList<unknown>, 'hasMore' | 'isLoadingMore' | 'more'>;
  class?: string;
}) {
  if (!of.hasMore) return null;
  const button = (
    <Button isBusy={of.isLoadingMore} onClick={of.more}>
      {text.common.more}
    </Button>
  );
  return className ? <div class={className}>{button}</div> : button;
}

/** A link that looks like a button. @param to an address as `href()` makes it */
export function ButtonLink({
  to,
  kind = 'plain',
  icon,
  children,
  ...rest
}: {
  to: string;
  kind?: Kind;
  icon?: IconNode;
  children?: ComponentChildren;
  download?: string | boolean;
  target?: '_blank';
  rel?: string;
  title?: string;
}) {
  return (
    <a {...rest} href={to} class={`button ${kind}`}>
      {icon && <Icon of={icon} />}
      {children}
    </a>
  );
}

/** A button that is a picture. @param label what it does */
export function IconButton({
  icon,
  label,
  ...rest
}: { icon: IconNode; label: string } & Omit<ButtonProps, 'icon' | 'label' | 'kind' | 'isBusy'>) {
  return (
    <button {...rest} type="button" class={`icon-button ${rest.class ?? ''}`} aria-label={label} title={label}>
      <Icon of={icon} />
    </button>
  );
}
