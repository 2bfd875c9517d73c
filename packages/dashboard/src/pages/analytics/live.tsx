import { api, answerOf } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { count } from '../../parts/number.ts';
import { text } from '../../text.ts';
import './live.css';

const { analytics: w } = text;
const EVERY_MS = 10_000;

/** Current visitors: a number, and the pages that they read when it is opened. */
export function Live({ projectId }: { projectId: string }) {
  const live = useResource(
    `live ${projectId}`,
    (signal) => answerOf(api.GET('/v1/analytics/{projectId}/live', { params: { path: { projectId } }, signal })),
    { everyMs: EVERY_MS },
  );
  const data = live.data;
  if (!data) return <span class="live-place" />;
  const most = Math.max(1, ...data.minutes.map(({ visitors }) => visitors.total));
  return (
    <details class="live">
      <summary>
        <span class={data.visitors.total > 0 ? 'pulse' : 'pulse still'} />
        <span>{w.live(count(data.visitors.total))}</span>
      </summary>
      <div class="live-more">
        <p class="hint">{w.liveHint(data.delaySeconds)}</p>
        <div class="minutes" aria-hidden="true">
          {data.minutes.map(({ start, visitors }) => (
            <i
              key={start}
              style={{ height: `${Math.max(4, (visitors.total / most) * 100)}%` }}
              title={count(visitors.total)}
            />
          ))}
        </div>
        <dl>
          {(['human', 'ai'] as const).map((kind) => (
            <div key={kind}>
              <dt>
                <i class={`swatch ${kind}`} /> {w.kinds[kind]}
              </dt>
              <dd>{count(data.visitors[kind])}</dd>
            </div>
          ))}
        </dl>
        {data.pages.length === 0 ? (
          <p class="hint">{w.noLive}</p>
        ) : (
          <>
            <h3>{w.livePages}</h3>
            <ul>
              {data.pages.map(({ path, visitors }) => (
                <li key={path}>
                  <bdi class="break">{path}</bdi> <b>{count(visitors.total)}</b>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </details>
  );
}
