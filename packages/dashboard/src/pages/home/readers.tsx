import { useState } from 'preact/hooks';
import { api, answerOf } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { change, count } from '../../parts/number.ts';
import { Loaded, Panel } from '../../parts/page.tsx';
import { to } from '../../shell/routes.ts';
import { text } from '../../text.ts';

const { home: w } = text;
const DAY_MS = 86_400_000;

/** Exact unique visitors of the last seven days, compared with the seven before. */
export function Readers({ projectId }: { projectId: string }) {
  const [days] = useState(() =>
    [0, 7, 14].map((ago) => new Date(Date.now() + DAY_MS * (1 - ago)).toISOString().slice(0, 10)),
  );
  const [end, middle, start] = days;
  const readers = useResource(`readers ${projectId} ${end}`, async (signal) => {
    const of = (dateFrom?: string, dateTo?: string) =>
      answerOf(
        api.GET('/v1/analytics/{projectId}/visitors', {
          params: { path: { projectId }, query: { dateFrom, dateTo, limit: 1 } },
          signal,
        }),
      );
    const [now, before] = await Promise.all([of(middle, end), of(start, middle)]);
    return { now: now.totals, before: before.totals };
  });
  return (
    <Panel title={`${w.readers} · ${w.week}`} actions={<a href={to.analytics(projectId)}>{text.shell.analytics}</a>}>
      <Loaded from={readers} place={<Figures />}>
        {({ now, before }) =>
          now.total + before.total === 0 ? (
            <p class="hint">
              {w.noReaders} <a href={to.analytics(projectId)}>{w.firstViews}</a>
            </p>
          ) : (
            <Figures now={now} before={before} />
          )
        }
      </Loaded>
    </Panel>
  );
}

type Counts = Record<'human' | 'ai' | 'total', number>;

/** Before there are any, their places. */
function Figures({ now, before }: { now?: Counts; before?: Counts }) {
  return (
    <dl class="figures" aria-busy={now === undefined}>
      {(['human', 'ai', 'total'] as const).map((kind) => (
        <div key={kind} class={kind}>
          <dt>{w[kind]}</dt>
          <dd>
            {now ? count(now[kind]) : '\u00A0'}
            {now && before && (
              <span class="hint" title={w.before}>
                {change(now[kind], before[kind])}
              </span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
