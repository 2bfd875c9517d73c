import { useState } from 'preact/hooks';
import type { components } from '@docent/client';
import { api, answerOf } from '../../api/client.ts';
import { useResource } from '../../api/resource.ts';
import { useSubmit } from '../../api/submit.ts';
import { Button } from '../../parts/button.tsx';
import { Select, TextField } from '../../parts/field.tsx';
import { Loaded } from '../../parts/page.tsx';
import { aboutField, ProblemNote } from '../../parts/problem-note.tsx';
import { toast } from '../../parts/toast.tsx';
import { text } from '../../text.ts';

const { modelKeys: w } = text;
type Provider = components['schemas']['ProviderWithKey'];
type Stored = components['schemas']['StoredModelKey'];

/** The keys of providers that an operator has entered. A key is never shown again, and never a draft. */
export function ModelKeys() {
  const keys = useResource('model-keys', (signal) => answerOf(api.GET('/v1/model/keys', { signal })));
  return (
    <section>
      <h2>{w.title}</h2>
      <p>{w.lead}</p>
      <Loaded from={keys} rows={2}>
        {({ keys: stored }) => (
          <>
            {stored.map((key) => (
              <StoredKey key={key.provider} of={key} onRemoved={keys.reload} />
            ))}
            <NewKey onStored={keys.reload} />
          </>
        )}
      </Loaded>
    </section>
  );
}

function StoredKey({ of: { provider, baseUrl, updatedAt }, onRemoved }: { of: Stored; onRemoved: () => void }) {
  const { isBusy, problem, submit } = useSubmit();
  const remove = () =>
    submit(
      () => answerOf(api.DELETE('/v1/model/keys/{provider}', { params: { path: { provider } } })),
      () => onRemoved(),
    );
  return (
    <div class="actions">
      <span>{w.stored(w.providers[provider] ?? provider, updatedAt.slice(0, 10), baseUrl)}</span>
      <Button isBusy={isBusy} onClick={remove}>
        {w.remove}
      </Button>
      {problem && <ProblemNote problem={problem} />}
    </div>
  );
}

function NewKey({ onStored }: { onStored: () => void }) {
  const [provider, setProvider] = useState<Provider>('anthropic');
  const [key, setKey] = useState('');
  const [baseUrl, setBaseUrl] = useState('');
  const { isBusy, problem, submit } = useSubmit();
  const needsUrl = provider === 'openai-compatible';
  const store = (event: Event) => {
    event.preventDefault();
    const body = { key: key.trim(), ...(needsUrl ? { baseUrl: baseUrl.trim() } : {}) };
    submit(
      () => answerOf(api.PATCH('/v1/model/keys/{provider}', { params: { path: { provider } }, body })),
      () => {
        setKey('');
        toast(w.saved);
        onStored();
      },
    );
  };
  return (
    <form class="form" onSubmit={store}>
      <Select
        label={w.provider}
        value={provider}
        options={Object.entries(w.providers).map(([id, name]) => [id, name] as const)}
        onValue={(next) => setProvider(next as Provider)}
      />
      {needsUrl && (
        <TextField
          label={w.baseUrl}
          hint={w.baseUrlHint}
          type="url"
          required
          value={baseUrl}
          onValue={setBaseUrl}
          error={aboutField(problem, 'baseUrl')}
        />
      )}
      <TextField
        label={w.key}
        type="password"
        autocomplete="off"
        required
        value={key}
        onValue={setKey}
        error={aboutField(problem, 'key')}
      />
      {problem && <ProblemNote problem={problem} />}
      <div class="actions">
        <Button kind="primary" type="submit" isBusy={isBusy} disabled={key.trim() === ''}>
          {w.save}
        </Button>
      </div>
    </form>
  );
}
