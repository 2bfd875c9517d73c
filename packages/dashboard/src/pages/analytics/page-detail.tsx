import { api, answerOf } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { may } from '../../api/session.ts';
import { ButtonLink } from '../../parts/button.tsx';
import { count } from '../../parts/number.ts';
import { useIsBuiltin } from '../../shell/current-project.ts';
import { to } from '../../shell/routes.ts';
import { text } from '../../text.ts';
import { keyOf, type Subject } from './counted.ts';
import { quoted } from './prompts.ts';
import { rangeQuery } from './range.ts';

const { analytics: w } = text;

/** Details of the selected page: its readers' feedback, and a job to improve it. */
export function PageDetail({ path, subject: { projectId, span } }: { path: string; subject: Subject }) {
  const isBuiltin = useIsBuiltin(projectId);
  const feedback = useResource(`feedback by page ${keyOf({ projectId, only: {} }, span)} 100`, (signal) =>
    answerOf(
      api.GET('/v1/analytics/{projectId}/feedback/by-page', {
        params: { path: { projectId }, query: { ...rangeQuery(span), limit: 100 } },
        signal,
      }),
    ),
  );
  const said = feedback.data?.feedback.find((each) => each.path === path);
  return (
    <div class="actions">
      {said && <p>{w.feedbackOf(count(said.thumbsUp), count(said.thumbsDown))}</p>}
      {may('editor', projectId) && (
        <ButtonLink to={isBuiltin ? to.setUpModel() : to.newJob(projectId, w.pagePrompt(quoted(path)))}>
          {isBuiltin ? text.recipes.setUpModel : w.improve}
        </ButtonLink>
      )}
    </div>
  );
}
