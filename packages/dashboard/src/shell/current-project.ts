import { effect, signal } from '@preact/signals';
import { api, answerOf } from '../api/client.ts';
import { useResource, type Resource } from '../api/resource.ts';
import type { Project } from '@docent/client';
import { currentPath } from './address.ts';

const PLACE = 'docent-project';

/** The project that was looked at last, in any tab: pages of the installation show its links. */
export const lastProject = signal<string | null>(read());

effect(() => {
  try {
    if (lastProject.value) localStorage.setItem(PLACE, lastProject.value);
  } catch {
    // Storage may be forbidden: then it lasts as long as the page.
  }
});

/** That of the address first: its links are to be there from the first frame on. */
function read(): string | null {
  const named = /^\/projects\/(?!new(?:[/?]|$))([^/?]+)/.exec(currentPath())?.[1];
  try {
    if (named !== undefined) return decodeURIComponent(named);
    return localStorage.getItem(PLACE);
  } catch {
    // Storage may be forbidden, and an address may be anything.
    return null;
  }
}

/**
 * Whether a project's new jobs have the built-in editor, which follows recipes and nothing else. False until
 * it is known.
 */
export function useIsBuiltin(projectId: string): boolean {
  return useProjects().data?.find(({ id }) => id === projectId)?.model === 'builtin';
}

/** All projects that may be seen. There are tens of them, not thousands: page after page is put together. */
export function useProjects(): Resource<Project[]> {
  return useResource('projects', async (signal) => {
    const all: Project[] = [];
    for (let cursor: string | undefined; ;) {
      const page = await answerOf(api.GET('/v1/projects', { params: { query: { limit: 100, cursor } }, signal }));
      all.push(...page.projects);
      if (page.nextCursor === null) return all;
      cursor = page.nextCursor;
    }
  });
}
