import type { CodeHostKind } from '../remote-api.ts';
import { readGiteaDelivery } from './gitea-events.ts';
import { readGitHubDelivery } from './github-events.ts';
import { readGitLabDelivery } from './gitlab-events.ts';
import type { Reading } from './payload-fields.ts';

const READERS = { github: readGitHubDelivery, gitlab: readGitLabDelivery, gitea: readGiteaDelivery };

/**
 * Parses a verified delivery of a code host. Never throws: unused deliveries are ignored, with a reason.
 * @param delivery.event as in the host's header
 * @param delivery.isForm GitHub and Gitea can send JSON as the field `payload` of a form
 */
export function readDelivery(
  kind: CodeHostKind,
  delivery: { event: string | null; body: Buffer; isForm: boolean },
): Reading {
  const { event, body, isForm } = delivery;
  if (event === null) return { ignored: 'The delivery does not name its event.' };
  const text = body.toString('utf8');
  try {
    const payload: unknown = JSON.parse(isForm ? (new URLSearchParams(text).get('payload') ?? '') : text);
    return READERS[kind](event, payload);
  } catch (err) {
    if (!(err instanceof SyntaxError)) throw err;
    return { ignored: 'The body is not JSON.' };
  }
}
