import { CircleCheck } from 'lucide';
import { useState } from 'preact/hooks';
import type { components } from '@docent/client';
import { api, answerOf } from '../../api/client.ts';
import { problemOf, type Problem } from '../../api/problem.ts';
import { useResource } from '../../api/resource.ts';
import { Button } from '../../parts/button.tsx';
import { Code } from '../../parts/code.tsx';
import { TextField } from '../../parts/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { count } from '../../parts/number.ts';
import { Loaded, Page } from '../../parts/page.tsx';
import { aboutField, ProblemNote } from '../../parts/problem-note.tsx';
import { toast } from '../../parts/toast.tsx';
import { durationOf } from '../../parts/when.tsx';
import { text } from '../../text.ts';
import { ModelKeys } from './model-keys.tsx';

const { model: w } = text;
type Tested = components['schemas']['TestedModel'];

/** `/model`: the installation's model, and whether it answers. */
export default function Model() {
  const model = useResource('model', (signal) => answerOf(api.GET('/v1/model', { signal })));
  return (
    <Page title={w.title} lead={w.lead}>
      <Loaded from={model} rows={3}>
        {(now) => (
          <>
            <Form key={now.model} model={now.model} from={now.from} onChanged={model.reload} />
            <ModelKeys />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Form({ model, from, onChanged }: { model: string; from: string; onChanged: () => void }) {
  const [typed, setTyped] = useState(model);
  const [busy, setBusy] = useState<'save' | 'test'>();
  const [problem, setProblem] = useState<Problem>();
  const [tested, setTested] = useState<Tested>();
  const work = (what: 'save' | 'test', call: () => Promise<void>) => {
    setBusy(what);
    setProblem(undefined);
    setTested(undefined);
    call()
      .catch((thrown: unknown) => setProblem(problemOf(thrown)))
      .finally(() => setBusy(undefined));
  };
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        work('save', async () => {
          await answerOf(api.PATCH('/v1/model', { body: { model: typed.trim() === '' ? null : typed.trim() } }));
          toast(text.common.saved);
          onChanged();
        });
      }}
    >
      <TextField
        label={w.model}
        hint={
          <>
            <Code text={w.hint} /> {w.from[from]}
          </>
        }
        spellcheck={false}
        value={typed}
        onValue={setTyped}
        error={aboutField(problem, 'model')}
      />
      {problem && <ProblemNote problem={problem} />}
      {tested && <Outcome of={tested} />}
      <div class="actions">
        <Button
          kind="primary"
          type="submit"
          isBusy={busy === 'save'}
          disabled={typed.trim() === model || busy !== undefined}
        >
          {w.save}
        </Button>
        <Button
          isBusy={busy === 'test'}
          disabled={busy !== undefined}
          onClick={() =>
            work('test', async () =>
              setTested(await answerOf(api.POST('/v1/model/test', { body: { model: typed.trim() || model } }))),
            )
          }
        >
          {busy === 'test' ? w.testing : w.test}
        </Button>
      </div>
    </form>
  );
}

function Outcome({ of: tested }: { of: Tested }) {
  if (!tested.ok) {
    return (
      <div class="note bad" role="alert">
        <div>
          <strong>{w.failed}</strong>
          <p>
            <Code text={tested.message ?? ''} />
          </p>
        </div>
      </div>
    );
  }
  return (
    <p class="note good" role="status">
      <Icon of={CircleCheck} />
      {tested.ms === null
        ? w.builtinWorks
        : w.works(durationOf(tested.ms), count((tested.inputTokens ?? 0) + (tested.outputTokens ?? 0)))}
    </p>
  );
}
