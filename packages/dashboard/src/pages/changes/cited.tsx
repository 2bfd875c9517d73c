import type { components } from '@docent/client';
import { Badge } from '../../parts/badge.tsx';
import { Fold } from '../../parts/fold.tsx';
import { Foreign } from '../../parts/foreign.tsx';
import { text } from '../../text.ts';

const { changes: w } = text;

export type Citation = components['schemas']['Citation'];

/** The claims of a page, and the source lines that support them, as verified by Docent. */
export function Cited({ of: citations }: { of: readonly Citation[] }) {
  if (citations.length === 0) return null;
  return (
    <Fold summary={w.cited(citations.length)} class="about-file">
      {() => (
        <ul class="lines">
          {citations.map(({ line, claim, source, state }) => (
            <li key={`${line} ${claim}`}>
              <span class="hint">{w.line(line)}</span> <Foreign text={claim} />{' '}
              <code class="break" title={`${source.repository} ${source.commit}`}>
                <Foreign text={placeOf(source)} />
              </code>
              {state !== 'held' && <Badge tone="warn">{w.citedStates[state]}</Badge>}
            </li>
          ))}
        </ul>
      )}
    </Fold>
  );
}

function placeOf({ name, path, fromLine, toLine }: Citation['source']): string {
  return `${name}:${path}#L${fromLine}${toLine > fromLine ? `-L${toLine}` : ''}`;
}
