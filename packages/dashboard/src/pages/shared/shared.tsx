import { useEffect, useState } from 'preact/hooks';
import type { components } from '@docent/client';
import { api, answerOf } from '../../api/client.ts';
import { Problem, problemOf } from '../../api/problem.ts';
import { forgetResources } from '../../api/resource.ts';
import { session } from '../../api/session.ts';
import { sharedToken } from '../../api/shared-token.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import { Page } from '../../parts/page.tsx';
import { ProblemNote } from '../../parts/problem-note.tsx';
import { text } from '../../text.ts';
import Analytics from '../analytics/analytics.tsx';
import { SHARED as w } from './text.ts';

type Opened = components['schemas']['OpenedShareLink'];

const PLACE = 'docent-shared';
/** The token is replaced before it ends. */
const AHEAD_MS = 60_000;
const UNANSWERED = new Set(['unreachable', 'unanswered']);

/** `/shared#SECRET`: the analytics of a project, for anyone with the link. Shows nothing else. */
export default function Shared() {
  const [secret] = useState(findSecret);
  const [opened, setOpened] = useState<Opened>();
  const [problem, setProblem] = useState<Problem>();
  const [password, setPassword] = useState('');

  const open = (entered: string) => {
    setProblem(undefined);
    const body = { secret, ...(entered ? { password: entered } : {}) };
    answerOf(api.POST('/v1/share-links/open', { body })).then(
      (answer) => {
        sharedToken.current = answer.token;
        setOpened(answer);
      },
      (thrown: unknown) => setProblem(problemOf(thrown)),
    );
  };
  useEffect(() => {
    document.title = `${w.title} · Docent`;
    // A signed-in person sees here what others see.
    session.caller.value = null;
    forgetResources();
    if (secret === '') setProblem(new Problem(w.noSecret, { code: 'share_link_not_found' }));
    else open('');
    return () => {
      sharedToken.current = null;
      forgetResources();
    };
  }, []);
  useEffect(() => {
    if (!opened) return;
    const timer = setTimeout(
      () => open(password),
      Math.max(AHEAD_MS, Date.parse(opened.expiresAt) - Date.now() - AHEAD_MS),
    );
    return () => clearTimeout(timer);
  }, [opened]);

  if (opened) {
    return (
      <main key="shown" id="main" class="content" tabIndex={-1}>
        {problem && <ProblemNote problem={problem} onRetry={() => open(password)} />}
        <Analytics params={{ projectId: opened.projectId }} />
      </main>
    );
  }
  if (!problem) {
    // The head of the page that comes: nothing moves when it is there.
    return (
      <main key="shown" id="main" class="content" tabIndex={-1}>
        <Page title={text.analytics.title} lead={text.analytics.lead} isWide>
          <p class="unseen" role="status">
            {w.opening}
          </p>
        </Page>
      </main>
    );
  }
  const isAsked = problem.code === 'password_required';
  return (
    <main key="asked" class="sign-in">
      <h1>{w.title}</h1>
      {isAsked && <p class="lead">{w.lead}</p>}
      {!(isAsked && password === '') && (
        <ProblemNote problem={problem} onRetry={UNANSWERED.has(problem.code) ? () => open(password) : undefined} />
      )}
      {isAsked && (
        <form
          class="sign-in-form"
          onSubmit={(event) => {
            event.preventDefault();
            open(password);
          }}
        >
          <TextField
            label={w.password}
            type="password"
            name="password"
            autocomplete="current-password"
            required
            value={password}
            onValue={setPassword}
          />
          <Button kind="primary" type="submit">
            {w.submit}
          </Button>
        </form>
      )}
    </main>
  );
}

/** Filters replace the address: the tab remembers the secret for a reload. */
function findSecret(): string {
  const secret = location.hash.slice(1);
  try {
    if (secret) sessionStorage.setItem(PLACE, secret);
    return secret || (sessionStorage.getItem(PLACE) ?? '');
  } catch {
    // Storage may be disabled.
    return secret;
  }
}
