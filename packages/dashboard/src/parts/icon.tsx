import { h } from 'preact';
import type { IconNode } from 'lucide';

/** An icon beside text with the same meaning. With a label, it has its own. */
export function Icon({ of: node, label, size = 16 }: { of: IconNode; label?: string; size?: number }) {
  return (
    <svg
      class="icon"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
      stroke-linejoin="round"
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    >
      {node.map(([tag, attributes], i) => h(tag, { key: i, ...attributes }))}
    </svg>
  );
}
