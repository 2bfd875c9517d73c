import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

/**
 * Something that is shown when it is asked for, and made only then.
 * @param isOpenFirst whether it is open until someone closes it
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
