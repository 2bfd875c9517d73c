import { Select, TextField } from '../../parts/field.tsx';
import { TIME_ZONE } from '../../shell/local-day.ts';
import { text } from '../../text.ts';
import type { Subject } from './counted.ts';
import { addDays, COMPARISONS, comparisonNamed, rangeNamed, RANGES } from './range.ts';
import { spanName } from './names.ts';

const { analytics: w } = text;

/** The days, the comparison, and the counted kind. All of it is in the address. */
export function RangePicker({
  subject: { span, before, measure, today },
  query,
  setQuery,
}: {
  subject: Subject;
  query: Record<string, string>;
  setQuery: (changes: Record<string, string | undefined>) => void;
}) {
  const name = rangeNamed(query);
  const isCustom = name === 'custom';
  return (
    <div class="range">
      <div class="row">
        <Select
          label={w.range}
          value={name}
          options={RANGES.map((each) => [each, w.ranges[each]])}
          onValue={(range) =>
            setQuery(
              range === 'custom'
                ? { range, from: span.from ?? addDays(today, -29), to: addDays(span.to, -1) }
                : { range, from: undefined, to: undefined },
            )
          }
        />
        {isCustom && (
          <>
            <TextField
              label={w.from}
              type="date"
              max={query.to}
              value={query.from ?? ''}
              onValue={(from) => from && setQuery({ from })}
            />
            <TextField
              label={w.to}
              type="date"
              min={query.from}
              value={query.to ?? ''}
              onValue={(last) => last && setQuery({ to: last })}
            />
          </>
        )}
        <Select
          label={w.compare}
          value={comparisonNamed(query)}
          options={COMPARISONS.map((each) => [each, w.comparisons[each]])}
          onValue={(compare) => setQuery({ compare })}
          disabled={span.from === null}
        />
        <div class="segments" role="group" aria-label={w.counted}>
          {(['visitors', 'views'] as const).map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={measure === each}
              onClick={() => setQuery({ count: each === 'visitors' ? undefined : each })}
            >
              {w.measures[each]}
            </button>
          ))}
        </div>
      </div>
      <p class="hint">
        {spanName(span)}
        {before && ` · ${w.comparedWith(spanName(before))}`} · {w.utc(TIME_ZONE)}
      </p>
    </div>
  );
}
