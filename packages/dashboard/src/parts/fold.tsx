import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

/**
 * Content that is shown on request, and only rendered then.
 * @param isOpenFirst whether it is open at first
 */
export function Fold({
  summary,
  isOpenFirst = false,
  class: name = '',
  children,
}: {
  summary: ComponentChildren;
  isOpenFirst?: boolean;
  class?: string;
  children: () => ComponentChildren;
}) {
  const [chosen, choose] = useState<boolean | null>(null);
  const isOpen = chosen ?? isOpenFirst;
  return (
    <details class={`fold ${name}`} open={isOpen}>
      <summary
        onClick={(event) => {
          event.preventDefault();
          choose(!isOpen);
        }}
      >
        {summary}
      </summary>
      {isOpen && children()}
    </details>
  );
}
