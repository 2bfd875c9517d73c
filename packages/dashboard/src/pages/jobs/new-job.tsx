import { useLocation } from 'preact-iso';
import type { components } from '@docent/client';
import { api, answerOf } from '../../api/client.ts';
import { isKnown } from '../../api/resource.ts';
import { may } from '../../api/session.ts';
import { Empty, Page, Waiting } from '../../parts/page.tsx';
import { useProjects } from '../../shell/current-project.ts';
import { useDraft } from '../../shell/draft.ts';
import type { PageProps } from '../../shell/lazy-page.tsx';
import { useQuery } from '../../shell/query.ts';
import { to } from '../../shell/routes.ts';
import { text } from '../../text.ts';
import { useAttachments } from './attachments.tsx';
import { Composer } from './composer.tsx';
import { bodyOf, JobOptions, useOptions, wrongLine } from './job-options.tsx';
import { RecipeForm } from './recipe-form.tsx';
import { Suggestions } from './suggestions.tsx';
import { useSendOnce } from './send-once.ts';
import './jobs.css';

const { newJob: w } = text;

/** `/projects/{p}/jobs/new`: a prompt, and where its changes go. `?prompt=` fills it in. */
export default function NewJob({ params }: PageProps) {
  const projectId = params.projectId ?? '';
  // Its model decides which part appears above the prompt.
  const projects = useProjects();
  if (!may('editor', projectId))
    return (
      <Page title={w.title}>
        <Empty title={text.common.notAllowed}>
          <p>{text.common.notAllowedHint}</p>
        </Empty>
      </Page>
    );
  return (
    <Page title={w.title} lead={w.lead}>
      {isKnown(projects) ? <Form projectId={projectId} /> : <Waiting rows={3} />}
    </Page>
  );
}

function Form({ projectId }: { projectId: string }) {
  const { route } = useLocation();
  const [query] = useQuery();
  const { prompt: given = '', recipe = '' } = query;
  // A prompt from the address is a separate draft: it does not replace one in progress.
  const place = given || recipe ? `job:${projectId}:${given || JSON.stringify(query)}` : `job:${projectId}`;
  const [prompt, setPrompt, forgetPrompt] = useDraft(place, given);
  const attachments = useAttachments(projectId, place);
  const [options, setOptions, forgetOptions] = useOptions(place);
  const project = useProjects().data?.find(({ id }) => id === projectId);
  const mayPush = project?.settings.allowPush ?? false;
  const isBuiltin = project !== undefined && (options.model.trim() || project.model) === 'builtin';
  const { submit, isBusy, problem } = useSendOnce(place, (body: components['schemas']['NewJob'], once) =>
    answerOf(
      api.POST('/v2/agent/{projectId}/job', {
        params: { path: { projectId }, header: { 'Idempotency-Key': once } },
        body,
      }),
    ),
  );
  const send = async () => {
    if (wrongLine(options) !== null) return;
    const ids = attachments.ids;
    const sent = await submit({ prompt, ...bodyOf(options), ...(ids.length > 0 ? { attachments: ids } : {}) });
    if (!sent) return;
    forgetPrompt();
    forgetOptions();
    attachments.clear();
    route(to.job(projectId, sent.answer.id));
  };
  return (
    <>
      {isBuiltin && <RecipeForm key={place} given={query} onPrompt={setPrompt} />}
      <Composer
        label={w.prompt}
        placeholder={w.placeholder}
        submit={w.submit}
        isLarge
        text={prompt}
        onText={setPrompt}
        attachments={attachments}
        onSubmit={() => void send()}
        isBusy={isBusy}
        problem={problem}
      >
        <JobOptions options={options} onChange={setOptions} problem={problem} mayPush={mayPush} />
      </Composer>
      {prompt === '' && recipe === '' && (
        <Suggestions projectId={projectId} isBuiltin={isBuiltin} onChoose={setPrompt} />
      )}
    </>
  );
}
