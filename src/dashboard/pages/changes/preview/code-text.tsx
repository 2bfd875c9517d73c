import { useEffect, useState } from 'preact/hooks';
import type { Span } from '../highlight.ts';
import { shownLine, shownText } from '../shown-text.tsx';

/** A block of code, coloured when the code for that is there. @param lang as the page names it */
export function CodeText({ text, lang }: { text: string; lang: string | null }) {
  const [spans, setSpans] = useState<Span[][] | null>(null);
  useEffect(() => {
    let isGone = false;
    setSpans(null);
    if (lang) {
      import('../highlight.ts').then(
        ({ highlighted }) => {
          if (!isGone) setSpans(highlighted(text, lang));
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
