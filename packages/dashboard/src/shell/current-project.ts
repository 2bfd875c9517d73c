import { effect, signal } from '@preact/signals';
import { api, answerOf } from '../api/client.ts';
import { useResource, type Resource } from '../api/resource.ts';
import { session } from '../api/session.ts';
import type { Project } from '@docent/client';
import { currentPath } from './address.ts';

const PLACE = 'docent-project';

/** The last visited project, in any tab: pages of the installation show its links. */
export const lastProject = signal<string | null>(read());

effect(() => {
  try {
    if (lastProject.value) localStorage.setItem(PLACE, lastProject.value);
  } catch {
    // Storage may be disabled: then it lasts as long as the page.
  }
});

/** The project in the address comes first, so that its links exist from the first frame on. */
function read(): string | null {
  const named = /^\/projects\/(?!new(?:[/?]|$))([^/?]+)/.exec(currentPath())?.[1];
  try {
    if (named !== undefined) return decodeURIComponent(named);
    return localStorage.getItem(PLACE);
  } catch {
    // Storage may be disabled, and an address may be anything.
    return null;
  }
}

/**
 * Whether a project's new jobs use the built-in editor, which only follows recipes. False until it is known.
 */
export function useIsBuiltin(projectId: string): boolean {
  return useProjects().data?.find(({ id }) => id === projectId)?.model === 'builtin';
}

/** All visible projects. There are tens of them, not thousands, so all pages are loaded. */
export function useProjects(): Resource<Project[]> {
  // Visitors with a share link may not list them.
  return useResource(session.caller.value && 'projects', async (signal) => {
    const all: Project[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await answerOf(api.GET('/v1/projects', { params: { query: { limit: 100, cursor } }, signal }));
      all.push(...page.projects);
      if (page.nextCursor === null) return all;
      cursor = page.nextCursor;
    }
  });
}
