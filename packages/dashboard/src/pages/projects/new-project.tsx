import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api, answerOf } from '../../api/client.ts';
import { useSubmit } from '../../api/submit.ts';
import { useResource } from '../../api/resource.ts';
import { Button } from '../../parts/button.tsx';
import { Select, TextField } from '../../parts/field.tsx';
import { Page, Panel } from '../../parts/page.tsx';
import { aboutField, fieldsOf, ProblemNote } from '../../parts/problem-note.tsx';
import { useFormDraft } from '../../shell/draft.ts';
import { to } from '../../shell/routes.ts';
import { text } from '../../text.ts';
import { FoundRepository } from './found-repository.tsx';

const { projects: w } = text;
/** The pause in typing before the repository is checked. */
const PAUSE_MS = 700;

const NEW = { repository: '', host: '', ref: '', docsDir: '', id: '', isIdTyped: false };

/** A URL may hold a password: the server refuses such a one, and it is not kept. */
function withoutSecrets({ repository, ...rest }: typeof NEW): Partial<typeof NEW> {
  return /:\/\/[^/]*@/.test(repository) ? rest : { repository, ...rest };
}

/** `/projects/new`: the repository is checked while you type; the project is created by the button. */
export default function NewProject() {
  const { route } = useLocation();
  const [form, set, forget] = useFormDraft('project', NEW, withoutSecrets);
  const { repository, host, ref, docsDir, id, isIdTyped } = form;
  const { isBusy, problem, submit: send } = useSubmit();
  const field = fieldsOf(form, set, problem);
  const hosts = useResource('hosts', (signal) => answerOf(api.GET('/v1/hosts', { params: { query: {} }, signal })));

  const asked = useLater(
    JSON.stringify({ repository: repository.trim(), host, ref: ref.trim(), docsDir: docsDir.trim() }),
    PAUSE_MS,
  );
  const look = JSON.parse(asked) as { repository: string; host: string; ref: string; docsDir: string };
  const check = useResource(look.repository === '' ? null : `check ${asked}`, (signal) =>
    answerOf(
      api.POST('/v1/repositories/check', {
        body: {
          repository: look.repository,
          ...(look.host ? { host: look.host } : {}),
          ref: look.ref || null,
          ...(look.docsDir ? { docsDir: look.docsDir } : {}),
        },
        signal,
      }),
    ),
  );
  const shownId = isIdTyped ? id : idFor(repository);

  const submit = (event: Event) => {
    event.preventDefault();
    send(
      (once) =>
        answerOf(
          api.POST('/v1/projects', {
            params: { header: { 'Idempotency-Key': once } },
            body: {
              id: shownId,
              repository: repository.trim(),
              ...(host ? { host } : {}),
              ...(ref.trim() ? { ref: ref.trim() } : {}),
              ...(docsDir.trim() ? { docsDir: docsDir.trim() } : {}),
            },
          }),
        ),
      (project) => {
        forget();
        route(to.project(project.id));
      },
    );
  };

  const folder = check.data?.suggestedDocsDir;
  return (
    <Page title={w.newTitle} lead={w.newLead}>
      <form class="form" onSubmit={submit}>
        <TextField
          label={w.repository}
          hint={w.repositoryHint}
          placeholder={w.repositoryExample}
          required
          spellcheck={false}
          {...field('repository')}
        />
        {(hosts.data?.hosts.length ?? 0) > 0 && (
          <Select
            label={w.host}
            {...field('host')}
            options={[['', w.anyHost], ...(hosts.data?.hosts ?? []).map((each) => [each.id, each.id] as const)]}
          />
        )}
        <div class="row">
          <TextField label={w.ref} hint={w.refHint} isOptional {...field('ref')} />
          <TextField label={w.docsDir} hint={w.docsDirHint} isOptional {...field('docsDir')} />
        </div>
        {folder && folder !== docsDir && (
          <div>
            <Button onClick={() => set({ docsDir: folder })}>{w.useFolder(folder)}</Button>
          </div>
        )}
        {look.repository !== '' && (
          <Panel title={w.found}>
            <FoundRepository check={check} />
          </Panel>
        )}
        <TextField
          label={w.id}
          hint={w.idHint}
          required
          maxLength={63}
          spellcheck={false}
          value={shownId}
          onValue={(next) => set({ id: next, isIdTyped: true })}
          error={aboutField(problem, 'id')}
        />
        {problem && <ProblemNote problem={problem} />}
        <div class="actions">
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {w.createSubmit}
          </Button>
        </div>
      </form>
    </Page>
  );
}

/** The value after its last pause. */
function useLater(value: string, ms: number): string {
  const [later, setLater] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return later;
}

/** From `https://github.com/acme/docs.git`: `acme-docs`. */
function idFor(repository: string): string {
  const parts = repository
    .trim()
    .replace(/\.git\/?$|\/$/, '')
    .split(/[/:\\]/)
    .filter(Boolean);
  return parts
    .slice(-2)
    .join('-')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 63);
}
