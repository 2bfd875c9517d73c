import { useState } from 'preact/hooks';
import { api, answerOf } from '../api/client.ts';
import { problemOf, type Problem } from '../api/problem.ts';
import { useResource } from '../api/resource.ts';
import type { Caller } from '../api/session.ts';
import { Button, ButtonLink } from '../parts/button.tsx';
import { Code } from '../parts/code.tsx';
import { TextField } from '../parts/field.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { text } from '../text.ts';
import { href } from './address.ts';

/**
 * Signs in: by the provider that the operator has set up, or with the operator token.
 * @param next a path of this server, for afterwards
 */
export function SignInForm({ next, onSignedIn }: { next: string; onSignedIn: (who: Caller) => void }) {
  const offered = useResource('sign-in', (signal) => answerOf(api.GET('/v1/sign-in', { signal })));
  const [token, setToken] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const provider = offered.data?.openIdConnect;
  return (
    <div class="sign-in-form">
      {provider && (
        <>
          <ButtonLink kind="primary" to={href(`/sign-in/openid?next=${encodeURIComponent(next)}`)}>
            {text.signIn.with(provider.name)}
          </ButtonLink>
          <p class="or">{text.signIn.or}</p>
        </>
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setBusy(true);
          setProblem(undefined);
          answerOf(api.POST('/v1/sign-in', { body: { operatorToken: token.trim() } })).then(
            onSignedIn,
            (thrown: unknown) => {
              setProblem(problemOf(thrown));
              setBusy(false);
            },
          );
        }}
      >
        <TextField
          label={text.signIn.token}
          hint={<Code text={text.signIn.tokenHint} />}
          type="password"
          name="operator-token"
          autocomplete="current-password"
          required
          value={token}
          onValue={setToken}
        />
        {problem && <ProblemNote problem={problem} />}
        <Button kind={provider ? 'plain' : 'primary'} type="submit" isBusy={isBusy}>
          {text.signIn.submit}
        </Button>
      </form>
    </div>
  );
}
