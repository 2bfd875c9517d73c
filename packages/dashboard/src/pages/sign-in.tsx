import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api, answerOf } from '../api/client.ts';
import { problemOf, Problem } from '../api/problem.ts';
import { forgetResources } from '../api/resource.ts';
import { session, type Caller } from '../api/session.ts';
import { ProblemNote } from '../parts/problem-note.tsx';
import { href, isPage } from '../shell/address.ts';
import { safeNext } from '../shell/safe-next.ts';
import { SignInForm } from '../shell/sign-in-form.tsx';
import { text } from '../text.ts';

/**
 * `/sign-in`: with a one-time link in `#link=`, by a provider, or with the operator token; then continues at
 * `?next=`.
 */
export default function SignIn() {
  const { query, route } = useLocation();
  const next = href(safeNext(query.next));
  const [link] = useState(takeLink);
  const [problem, setProblem] = useState<Problem | undefined>(() => failedBefore(query.error));

  const goOn = (who: Caller) => {
    forgetResources();
    session.began(who);
    if (isPage(next)) route(next, true);
    else location.replace(next);
  };
  useEffect(() => {
    document.title = `${text.signIn.title} · Docent`;
    if (!link) return;
    answerOf(api.POST('/v1/sign-in', { body: { link } })).then(goOn, (thrown: unknown) => {
      const found = problemOf(thrown);
      setProblem(found.status === 401 ? new Problem(text.signIn.usedLink, { ...found, code: found.code }) : found);
    });
  }, []);
  const isWorking = link !== null && !problem;
  return (
    <main class="sign-in">
      <h1>{text.signIn.title}</h1>
      <p class="lead">{isWorking ? text.signIn.working : text.signIn.lead}</p>
      {problem && <ProblemNote problem={problem} />}
      {!isWorking && <SignInForm next={safeNext(query.next)} onSignedIn={goOn} />}
    </main>
  );
}

/** Removes the link's secret from the address bar and the history immediately. */
function takeLink(): string | null {
  const link = new URLSearchParams(location.hash.slice(1)).get('link');
  if (link) history.replaceState(null, '', location.pathname + location.search);
  return link;
}

function failedBefore(code: string | undefined): Problem | undefined {
  return code ? new Problem(text.signIn.errors[code] ?? text.signIn.otherError, { code }) : undefined;
}
