import { useEffect, useState } from 'preact/hooks';
import type { Span } from '../highlight.ts';
import { shownLine, shownText } from '../shown-text.tsx';

/** A block of code, colored when the code for that is there. @param lang as the page names it */
export function CodeText({ text, lang }: { text: string; lang: string | null }) {
  const [colored, setColored] = useState<{ text: string; spans: Span[][] | null }>();
  const spans = colored?.text === text ? colored.spans : null;
  useEffect(() => {
    let isGone = false;
    if (lang) {
      import('../highlight.ts').then(
        ({ highlighted }) => {
          if (!isGone) setColored({ text, spans: highlighted(text, lang) });
        },
        () => {
          // Without colors, then.
        },
      );
    }
    return () => {
      isGone = true;
    };
  }, [text, lang]);
  return (
    <code key={spans ? 'colored' : 'plain'}>
      {spans
        ? text.split('\n').map((line, i) => [i > 0 && '\n', shownLine(line, spans[i], undefined)])
        : shownText(text)}
    </code>
  );
}
