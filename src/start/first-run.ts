import { createDocentClient } from '@docent/client';
import { answerOf } from '@docent/base/terminal/api-answer';
import { ServerRefusal } from '@docent/base/terminal/failures';
import { makeDemoRepository } from './demo-repository.ts';
import type { Home } from './home.ts';

export const DEMO_PROJECT = 'demo';

/** A link that signs a browser in, once. Without one, everything else works all the same. */
export async function signInLinkOf(home: Home, apiUrl: string): Promise<string | null> {
  const client = createDocentClient({ baseUrl: apiUrl, apiKey: home.readOperatorToken() });
  const link = await answerOf(apiUrl, client.POST('/v1/sign-in-links')).catch(() => null);
  return link?.url ?? null;
}

/** Creates the demo through the API. Completes an interrupted first start. */
export async function completeFirstRun(home: Home, apiUrl: string): Promise<{ newKey: string | null }> {
  const client = createDocentClient({ baseUrl: apiUrl, apiKey: home.readOperatorToken() });
  if (!home.readState().demoProjectMade) {
    await makeDemoRepository(home.demoRepository);
    const body = { id: DEMO_PROJECT, repository: home.demoRepository, ref: 'main' };
    await answerOf(apiUrl, client.POST('/v1/projects', { body })).catch((err: unknown) => {
      if (!(err instanceof ServerRefusal && err.code === 'project_exists')) throw err;
    });
    home.updateState({ demoProjectMade: true });
  }
  const { keys } = await answerOf(apiUrl, client.GET('/v1/keys', { params: { query: { limit: 1 } } }));
  if (keys.length > 0) return { newKey: null };
  const body = { name: 'first key', projectIds: [DEMO_PROJECT], scopes: ['write' as const] };
  const { key } = await answerOf(apiUrl, client.POST('/v1/keys', { body }));
  return { newKey: key };
}
