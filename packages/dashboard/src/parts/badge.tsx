import type { ComponentChildren } from 'preact';

export type Tone = 'plain' | 'busy' | 'good' | 'bad' | 'warn' | 'done';

/** A state as text. The color only helps. */
export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}
