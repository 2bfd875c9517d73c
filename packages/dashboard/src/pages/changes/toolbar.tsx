import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Select } from '../../parts/field.tsx';
import { text } from '../../text.ts';
import type { Choice } from './choices.ts';
import type { Layout } from './diff-lines.tsx';

const { changes: w } = text;

const PLACE = 'docent-diff-layout';
const NARROW = '(max-width: 60rem)';

/** Which diff is shown, and how. */
export function Toolbar({
  choices,
  choice,
  onChoice,
  view,
  onView,
  layout,
  onLayout,
  children,
}: {
  choices: readonly Choice[];
  choice: string;
  onChoice: (id: string) => void;
  view: 'lines' | 'preview';
  onView: (view: 'lines' | 'preview') => void;
  layout: Layout;
  onLayout: (layout: Layout) => void;
  children: ComponentChildren;
}) {
  return (
    <div class="changes-toolbar">
      <Segments
        label={w.view}
        value={view}
        onValue={onView}
        options={[
          ['lines', w.viewLines],
          ['preview', w.viewPreview],
        ]}
      />
      {choices.length > 1 && (
        <Select
          label={w.which}
          value={choice}
          onValue={onChoice}
          options={choices.map(({ id, name }) => [id, name] as const)}
        />
      )}
      <span class="totals">{children}</span>
      <Segments
        label={w.layout}
        value={layout}
        onValue={onLayout}
        isWideOnly
        options={[
          ['unified', view === 'preview' ? w.onlyAfter : w.unified],
          ['split', w.split],
        ]}
      />
    </div>
  );
}

function Segments<T extends string>({
  label,
  value,
  onValue,
  options,
  isWideOnly,
}: {
  label: string;
  value: T;
  onValue: (value: T) => void;
  options: readonly (readonly [T, string])[];
  isWideOnly?: boolean;
}) {
  return (
    <div class={`segments ${isWideOnly ? 'wide-only' : ''}`} role="group" aria-label={label}>
      {options.map(([option, name]) => (
        <button key={option} type="button" aria-pressed={option === value} onClick={() => onValue(option)}>
          {name}
        </button>
      ))}
    </div>
  );
}

/** The last choice in any tab. A narrow screen has no room for two columns. */
export function useLayout(): [Layout, (layout: Layout) => void] {
  const [layout, setLayout] = useState<Layout>(read);
  const [isNarrow, setNarrow] = useState(() => matchMedia(NARROW).matches);
  useEffect(() => {
    const narrow = matchMedia(NARROW);
    const onChange = () => setNarrow(narrow.matches);
    narrow.addEventListener('change', onChange);
    return () => narrow.removeEventListener('change', onChange);
  }, []);
  return [
    isNarrow ? 'unified' : layout,
    (next) => {
      setLayout(next);
      try {
        localStorage.setItem(PLACE, next);
      } catch {
        // Storage may be disabled: then it lasts as long as the page.
      }
    },
  ];
}

function read(): Layout {
  try {
    return localStorage.getItem(PLACE) === 'split' ? 'split' : 'unified';
  } catch {
    return 'unified';
  }
}
