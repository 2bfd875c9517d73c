import type { ComponentChildren } from 'preact';

/** A name with a bar behind it, relative to the first one. @param of from 0 to 1 */
export function Bar({
  of,
  kind,
  children,
}: {
  of: number;
  kind: 'human' | 'ai' | 'total';
  children: ComponentChildren;
}) {
  return (
    <span class="bar">
      <i class={kind} style={{ width: `${Math.max(0.5, Math.min(100, of * 100))}%` }} />
      <span class="path">{children}</span>
    </span>
  );
}
