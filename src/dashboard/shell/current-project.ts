import { effect, signal } from '@preact/signals';
import { api, answerOf } from '../api/client.ts';
import { useResource, type Resource } from '../api/resource.ts';
import type { Project } from '@docent/client';

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

function read(): string | null {
  try {
    return localStorage.getItem(PLACE);
  } catch {
    return null;
  }
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
