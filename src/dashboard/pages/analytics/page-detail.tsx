import { api, answerOf } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { may } from '../../api/session.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { count } from '../../parts/number.ts';
import { useIsBuiltin } from '../../shell/current-project.ts';
import { to } from '../../shell/routes.ts';
import { words } from '../../words.ts';
import { spanKey, type Subject } from './counted.ts';
import type { PageCounts } from './page-rows.ts';
import { quoted } from './prompts.ts';
import { rangeQuery } from './range.ts';
import { Change } from './tiles.tsx';

const { analytics: w } = words;

/** One page: its numbers beside those of before, and what its readers said. */
export function PageDetail({
  row,
  before,
  subject: { projectId, measure, span },
  beforeName,
  onClose,
}: {
  row: PageCounts;
  before: PageCounts | undefined;
  subject: Subject;
  beforeName: string | null;
  onClose: () => void;
}) {
  const isBuiltin = useIsBuiltin(projectId);
  const feedback = useResource(`feedback by page ${projectId} ${spanKey(span)} 100`, (signal) =>
    answerOf(
      api.GET('/v1/analytics/{projectId}/feedback/by-page', {
        params: { path: { projectId }, query: { ...rangeQuery(span), limit: 100 } },
        signal,
      }),
    ),
  );
  const said = feedback.data?.feedback.find(({ path }) => path === row.path);
  return (
    <Dialog title={row.path} onClose={onClose}>
      <div class="body">
        <dl class="tiles small">
          {(['human', 'ai', 'total'] as const).map((kind) => (
            <div key={kind}>
              <dt>
                <i class={`swatch ${kind}`} /> {w.kinds[kind]}
              </dt>
              <dd>
                <span class="large">{count(row[kind])}</span>
                {before && beforeName !== null && <Change now={row[kind]} before={before[kind]} of={beforeName} />}
              </dd>
            </div>
          ))}
        </dl>
        <p class="hint">{w.exact[measure]}</p>
        {said && <p>{w.feedbackOf(count(said.thumbsUp), count(said.thumbsDown))}</p>}
      </div>
      <footer>
        <Button onClick={onClose}>{words.common.close}</Button>
        {may('editor', projectId) && (
          <ButtonLink
            kind="primary"
            to={isBuiltin ? to.setUpModel() : to.newJob(projectId, w.pagePrompt(quoted(row.path)))}
          >
            {isBuiltin ? words.recipes.setUpModel : w.improve}
          </ButtonLink>
        )}
      </footer>
    </Dialog>
  );
}
