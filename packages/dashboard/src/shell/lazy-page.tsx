import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Page, Waiting } from '../parts/page.tsx';
import { connection } from '../api/connection.ts';
import { may, mayAnywhere } from '../api/session.ts';
import { problemOf, Problem } from '../api/problem.ts';
import { ProblemNote } from '../parts/problem-note.tsx';
import { text } from '../text.ts';
import { lastProject } from './current-project.ts';

export interface PageProps {
  /** The matched parameters of the address: `projectId`, `jobId`, … */
  params: Record<string, string>;
}

/**
 * A page whose code is loaded when it is first opened. Remembers its project.
 * @param needs the role in its project, or in all if it has none; `admin of some`: in any
 */
export function lazyPage(
  load: () => Promise<{ default: ComponentType<PageProps> }>,
  needs?: 'editor' | 'admin' | 'admin of some',
): ComponentType<PageProps> {
  let Loaded: ComponentType<PageProps> | undefined;
  return function LazyPage(props) {
    const [problem, setProblem] = useState<Problem>();
    const [, render] = useState(0);
    const { projectId } = props.params;
    useEffect(() => {
      if (projectId) lastProject.value = projectId;
    }, [projectId]);
    useEffect(() => {
      if (Loaded) return;
      load().then(
        (module) => {
          Loaded = module.default;
          render((n) => n + 1);
        },
        async (thrown: unknown) => {
          // In a newly installed version, the chunks have other names.
          const message = (await connection.check()) ? text.shell.reload : text.shell.unreachable;
          setProblem(new Problem(message, { code: problemOf(thrown).code }));
        },
      );
    }, []);
    useEffect(() => {
      if (!problem) return;
      // Browsers remember that a chunk could not be loaded. `subscribe` also calls immediately.
      const before = connection.healed.peek();
      return connection.healed.subscribe((times) => times !== before && location.reload());
    }, [problem]);
    if (problem) return <ProblemNote problem={problem} onRetry={() => void retry()} />;
    const mayOpen =
      needs === undefined || (needs === 'admin of some' ? mayAnywhere('admin') : may(needs, projectId ?? null));
    if (!mayOpen) return <NotAllowed />;
    return Loaded ? <Loaded key={JSON.stringify(props.params)} {...props} /> : <Waiting rows={6} />;
  };
}

function NotAllowed() {
  return (
    <Page title={text.common.notAllowed}>
      <p>{text.common.notAllowedHint}</p>
    </Page>
  );
}

/** If the server is still down, the browser's own error page would replace this one. */
async function retry(): Promise<void> {
  if (await connection.check()) location.reload();
}
