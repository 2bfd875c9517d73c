import { useEffect, useState } from 'preact/hooks';
import type { Span } from '../highlight.ts';
import { shownLine, shownText } from '../shown-text.tsx';

/** A block of code, coloured when the code for that is there. @param lang as the page names it */
export function CodeText({ text, lang }: { text: string; lang: string | null }) {
  const [coloured, setColoured] = useState<{ text: string; spans: Span[][] | null }>();
  const spans = coloured?.text === text ? coloured.spans : null;
  useEffect(() => {
    let isGone = false;
    if (lang) {
      import('../highlight.ts').then(
        ({ highlighted }) => {
          if (!isGone) setColoured({ text, spans: highlighted(text, lang) });
        },
        () => {
          // Without colours, then.
        },
      );
    }
    return () => {
      isGone = true;
    };
  }, [text, lang]);
  return (
    <code key={spans ? 'coloured' : 'plain'}>
      {spans
        ? text.split('\n').map((line, i) => [i > 0 && '\n', shownLine(line, spans[i], undefined)])
        : shownText(text)}
    </code>
  );
}
