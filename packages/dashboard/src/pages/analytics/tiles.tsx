import { count, change } from '../../parts/number.ts';
import { text } from '../../text.ts';
import type { Head, Measure } from './counted.ts';

const { analytics: w } = text;

/** The large numbers, each with its exact definition. */
export function Tiles({
  head: { now, before },
  measure,
  beforeName,
}: {
  head: Head;
  measure: Measure;
  beforeName: string | null;
}) {
  const other: Measure = measure === 'visitors' ? 'views' : 'visitors';
  const tiles = [
    {
      key: 'total',
      name: w.measures[measure],
      hint: w.exact[measure],
      now: now[measure].total,
      before: before?.[measure].total,
    },
    { key: 'human', name: w.kinds.human, hint: w.humanHint, now: now[measure].human, before: before?.[measure].human },
    { key: 'ai', name: w.kinds.ai, hint: w.aiHint, now: now[measure].ai, before: before?.[measure].ai },
    {
      key: 'other',
      name: w.measures[other],
      hint: w.exact[other],
      now: now[other].total,
      before: before?.[other].total,
    },
  ];
  return (
    <dl class="tiles">
      {tiles.map((tile) => (
        <div key={tile.key}>
          <dt>
            {tile.key !== 'other' && <i class={`swatch ${tile.key}`} />} {tile.name}
          </dt>
          <dd>
            <span class="large">{count(tile.now)}</span>
            {tile.before !== undefined && beforeName !== null && (
              <Change now={tile.now} before={tile.before} of={beforeName} />
            )}
          </dd>
          <dd class="hint">{tile.hint}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The change since the previous period. The previous value is shown on hover, and read by screen readers. */
export function Change({ now, before, of }: { now: number; before: number; of: string }) {
  const text = change(now, before);
  const title = w.was(count(before), of);
  if (text === null) {
    return now === 0 ? (
      <span class="change" title={title}>
        –
      </span>
    ) : (
      <span class="change up" title={title}>
        {w.new}
      </span>
    );
  }
  return (
    <span class={`change ${now > before ? 'up' : now < before ? 'down' : ''}`} title={title}>
      {text}
      <span class="unseen"> {title}</span>
    </span>
  );
}
