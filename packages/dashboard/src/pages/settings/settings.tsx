import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { Project, ProjectChange } from '@docent/client';
import { api, answerOf, taggedAnswerOf } from '../../api/client.ts';
import { problemOf, type Problem } from '../../api/problem.ts';
import { isKnown, useResource } from '../../api/resource.ts';
import { may } from '../../api/session.ts';
import { Button } from '../../parts/button.tsx';
import { Code } from '../../parts/code.tsx';
import { Confirm } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { Loaded, Page, Panel } from '../../parts/page.tsx';
import { aboutField, fieldsOf, ProblemNote } from '../../parts/problem-note.tsx';
import { toast } from '../../parts/toast.tsx';
import type { PageProps } from '../../shell/lazy-page.tsx';
import { useFormDraft } from '../../shell/draft.ts';
import { to } from '../../shell/routes.ts';
import { text } from '../../text.ts';
import { FIELDS, SettingField, shownValue, valueOf } from './setting-field.tsx';
import { Instructions } from './instructions.tsx';
import { Secrets } from './secrets.tsx';
import { ShareLinks } from './share-links.tsx';
import { Sources } from './sources.tsx';
import { SECTIONS } from './text.ts';

const { settings: w } = text;

/** `/projects/{p}/settings`: all settings of a project, from their one declaration. */
export default function Settings({ params }: PageProps) {
  const projectId = params.projectId ?? '';
  const project = useResource(`project ${projectId}`, (signal) =>
    taggedAnswerOf(api.GET('/v1/projects/{projectId}', { params: { path: { projectId } }, signal })),
  );
  return (
    <Page title={w.title}>
      <Loaded from={project} rows={8}>
        {(read) => <Form key={read.tag} {...read} onChanged={project.reload} />}
      </Loaded>
      {/* Below a form of which it is not known yet how long it is. */}
      {isKnown(project) && (
        <>
          <Sources projectId={projectId} />
          <Instructions projectId={projectId} />
          {may('editor', projectId) && <Secrets projectId={projectId} />}
          {may('admin', projectId) && <ShareLinks projectId={projectId} />}
          {may('admin', projectId) && <Delete projectId={projectId} />}
        </>
      )}
    </Page>
  );
}

type Texts = Record<string, string>;

function textsOf(project: Project): Texts {
  const own = {
    ref: project.ref,
    docsDir: project.docsDir,
    model: project.modelFrom === 'project' ? project.model : '',
  };
  const settings = project.settings as Record<string, unknown>;
  return { ...own, ...Object.fromEntries(FIELDS.map((field) => [field.name, shownValue(settings[field.name])])) };
}

function Form({ data: project, tag, onChanged }: { data: Project; tag: string; onChanged: () => void }) {
  const before = textsOf(project);
  const isChanged = ([name, text]: [string, string]) => text !== before[name];
  const [texts, setTexts, forget] = useFormDraft(`settings:${project.id}`, before, (form) =>
    Object.fromEntries(Object.entries(form).filter(isChanged)),
  );
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const mayChange = may('admin', project.id);
  const changed = Object.keys(texts).filter((name) => texts[name] !== before[name]);
  const bound = fieldsOf(texts, setTexts, problem);
  const field = (name: string) => ({ disabled: !mayChange, ...bound(name) });

  const submit = (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    answerOf(
      api.PATCH('/v1/projects/{projectId}', {
        params: { path: { projectId: project.id }, header: { 'If-Match': tag } },
        body: changeOf(texts, changed),
      }),
    ).then(
      () => {
        toast(text.common.saved);
        forget();
        setBusy(false);
        onChanged();
      },
      (thrown: unknown) => {
        setProblem(problemOf(thrown));
        setBusy(false);
      },
    );
  };
  return (
    <form class="form settings" onSubmit={submit}>
      <Panel title={w.project}>
        <dl class="facts">
          <div>
            <dt>{w.repository}</dt>
            <dd>{project.repositoryUrl}</dd>
          </div>
          {project.site && (
            <div>
              <dt>{w.site}</dt>
              <dd>{project.site.kind}</dd>
            </div>
          )}
        </dl>
        <div class="form">
          <TextField label={w.ref} required {...field('ref')} />
          <TextField label={w.docsDir} hint={w.docsDirHint} {...field('docsDir')} />
          <TextField label={w.model} hint={<Code text={w.modelHint} />} {...field('model')} />
        </div>
      </Panel>
      {SECTIONS.map(({ title, fields }) => (
        <Panel key={title} title={title}>
          <div class="form">
            {Object.keys(fields).flatMap((name) =>
              FIELDS.filter((setting) => setting.name === name).map((setting) => (
                <SettingField
                  key={name}
                  field={setting}
                  {...field(name)}
                  error={aboutField(problem, `settings.${name}`)}
                />
              )),
            )}
          </div>
        </Panel>
      ))}
      {problem && <ProblemNote problem={problem} />}
      {mayChange && changed.length > 0 && (
        <div class="save">
          <Button kind="primary" type="submit" isBusy={isBusy}>
            {w.save}
          </Button>
        </div>
      )}
    </form>
  );
}

function changeOf(texts: Texts, changed: readonly string[]): ProjectChange {
  const settings: Record<string, unknown> = {};
  const change: Record<string, unknown> = {};
  for (const name of changed) {
    const text = texts[name] ?? '';
    const field = FIELDS.find((each) => each.name === name);
    if (field) settings[name] = valueOf(field, text);
    else change[name] = name === 'model' && text.trim() === '' ? null : text.trim();
  }
  return { ...change, ...(Object.keys(settings).length > 0 ? { settings } : {}) };
}

function Delete({ projectId }: { projectId: string }) {
  const { route } = useLocation();
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  return (
    <Panel title={w.danger}>
      <p class="hint">{w.dangerHint}</p>
      <Button onClick={() => setOpen(true)}>{w.delete}</Button>
      {isOpen && (
        <Confirm
          title={w.deleteTitle(projectId)}
          action={w.delete}
          isDanger
          isReady={typed === projectId}
          onClose={() => setOpen(false)}
          onConfirm={async () => {
            await answerOf(api.DELETE('/v1/projects/{projectId}', { params: { path: { projectId } } }));
            toast(w.deleted(projectId));
            route(to.projects());
          }}
        >
          <p>{w.dangerHint}</p>
          <TextField
            label={w.deleteTyped(projectId)}
            value={typed}
            onValue={setTyped}
            autocomplete="off"
            spellcheck={false}
          />
        </Confirm>
      )}
    </Panel>
  );
}
