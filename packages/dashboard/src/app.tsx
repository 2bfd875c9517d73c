import { useEffect, useState } from 'preact/hooks';
import { LocationProvider, Route, Router, useLocation } from 'preact-iso';
import { answerOf, api } from './api/client.ts';
import { connection } from './api/connection.ts';
import { problemOf, type Problem } from './api/problem.ts';
import { session } from './api/session.ts';
import { ProblemNote } from './parts/problem-note.tsx';
import { BASE, currentPath, href, PAGE_NAMES } from './shell/address.ts';
import { Layout } from './shell/layout.tsx';
import { lazyPage } from './shell/lazy-page.tsx';
import NotFound from './pages/not-found.tsx';
import SignIn from './pages/sign-in.tsx';

/**
 * Each page's code is loaded when it is first opened. Addresses: shell/routes.ts. People without the required
 * role see a message.
 */
const PAGES = {
  '/': lazyPage(() => import('./pages/start.tsx')),
  '/projects': lazyPage(() => import('./pages/projects/projects.tsx')),
  '/projects/new': lazyPage(() => import('./pages/projects/new-project.tsx'), 'admin'),
  '/projects/:projectId': lazyPage(() => import('./pages/home/home.tsx')),
  '/projects/:projectId/jobs': lazyPage(() => import('./pages/jobs/jobs.tsx')),
  '/projects/:projectId/jobs/new': lazyPage(() => import('./pages/jobs/new-job.tsx'), 'editor'),
  '/projects/:projectId/jobs/:jobId': lazyPage(() => import('./pages/jobs/job.tsx')),
  '/projects/:projectId/jobs/:jobId/changes': lazyPage(() => import('./pages/changes/changes.tsx')),
  '/projects/:projectId/pull-requests': lazyPage(() => import('./pages/pull-requests/pull-requests.tsx')),
  '/projects/:projectId/analytics': lazyPage(() => import('./pages/analytics/analytics.tsx')),
  '/projects/:projectId/automations': lazyPage(() => import('./pages/automations/automations.tsx')),
  '/projects/:projectId/automations/:automationId': lazyPage(() => import('./pages/automations/runs.tsx')),
  '/projects/:projectId/webhooks': lazyPage(() => import('./pages/webhooks/webhooks.tsx')),
  '/projects/:projectId/webhooks/:webhookId': lazyPage(() => import('./pages/webhooks/webhook.tsx')),
  '/projects/:projectId/settings': lazyPage(() => import('./pages/settings/settings.tsx')),
  '/keys': lazyPage(() => import('./pages/keys/keys.tsx'), 'admin of some'),
  '/hosts': lazyPage(() => import('./pages/hosts/hosts.tsx'), 'admin'),
  '/model': lazyPage(() => import('./pages/model/model.tsx'), 'admin'),
  '/people': lazyPage(() => import('./pages/people/people.tsx'), 'admin'),
  '/audit': lazyPage(() => import('./pages/audit/audit.tsx'), 'admin'),
  '/health': lazyPage(() => import('./pages/health/health.tsx'), 'admin'),
  '/account': lazyPage(() => import('./pages/account/account.tsx')),
};

const Shared = lazyPage(() => import('./pages/shared/shared.tsx'));

/** Links to other addresses leave the dashboard. */
const SCOPE = new RegExp(`^${BASE.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?:$|[?#]|(?:${PAGE_NAMES})(?:[/?#]|$))`);

export function App() {
  return (
    <LocationProvider scope={SCOPE}>
      <Router>
        <Route path={`${BASE}sign-in`} component={SignIn} />
        <Route path={`${BASE}shared`} component={Shared} />
        <Route path={`${BASE}*`} component={Inside} />
        <Route default component={Inside} />
      </Router>
    </LocationProvider>
  );
}

/** The app for signed-in people. */
function Inside() {
  const { route } = useLocation();
  const [problem, setProblem] = useState<Problem>();
  const who = session.caller.value;
  const ask = () => {
    setProblem(undefined);
    answerOf(api.GET('/v1/me')).then(
      (caller) => session.began(caller),
      (thrown: unknown) => {
        const found = problemOf(thrown);
        if (found.status === 401) route(href(`/sign-in?next=${encodeURIComponent(currentPath())}`), true);
        else setProblem(found);
      },
    );
  };
  useEffect(() => {
    if (!session.caller.peek()) ask();
    // `subscribe` also calls immediately.
    let seen = connection.healed.peek();
    return connection.healed.subscribe((times) => {
      if (times === seen) return;
      seen = times;
      if (!session.caller.peek()) ask();
    });
  }, []);
  if (problem) return <ProblemNote problem={problem} onRetry={ask} />;
  if (!who) return null;
  return (
    <Layout>
      <Router>
        {Object.entries(PAGES).map(([path, Component]) => (
          <Route key={path} path={path} component={Component} />
        ))}
        <Route default component={NotFound} />
      </Router>
    </Layout>
  );
}
