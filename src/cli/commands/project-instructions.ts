import type { components } from '@docent/client';
import { safe, table } from '@docent/base/terminal/terminal-text';
import { ServerRefusal } from '@docent/base/terminal/failures';
import { answerOf } from '@docent/base/terminal/api-answer';
import type { Server } from './server.ts';

type ProjectInstructions = components['schemas']['ProjectInstructions'];

/** A repository's instructions for the agent, or why they are unknown, which is no failure. */
export type ShownInstructions =
  | { instructions: ProjectInstructions }
  | { instructions: null; instructionsProblem: string };

export async function findInstructions({ client, url }: Server, projectId: string): Promise<ShownInstructions> {
  try {
    const answer = client.GET('/v1/projects/{projectId}/instructions', { params: { path: { projectId } } });
    return { instructions: await answerOf(url, answer) };
  } catch (err) {
    if (!(err instanceof ServerRefusal)) throw err;
    return { instructions: null, instructionsProblem: err.message };
  }
}

export function describeInstructions(shown: ShownInstructions): string {
  if (shown.instructions === null) {
    return safe(`The repository’s instructions for the agent could not be read: ${shown.instructionsProblem}`);
  }
  const { ref, commit, toldCharacters, files } = shown.instructions;
  const at = `${ref} at ${commit.slice(0, 7)}`;
  if (files.length === 0) return safe(`The repository has no instructions for the agent (${at}).`);
  const rows = files.map(({ path, role, characters, toldCharacters: told, why }) => [
    told === 0 ? 'no' : told.toLocaleString('en'),
    characters?.toLocaleString('en') ?? '–',
    role === 'styleGuide' ? 'style guide' : 'instructions',
    path,
    why,
  ]);
  const title = `Repository instructions for the agent: ${toldCharacters.toLocaleString('en')} characters (${at})`;
  return `${safe(title)}\n${table(['INCLUDED', 'OF', 'AS', 'FILE', 'WHY'], rows)}`;
}
