import type { PageSecret } from '../../agent/outgoing-secrets.ts';
import { findSecrets, withoutSecrets } from '@docent/find-secrets/find-secrets';
import type { Notice } from '@docent/models/conversation/transcript';
import { effectiveSettings } from '../../store/projects/project-settings.ts';
import { visibleName } from '@docent/docs-check/read/visible-text';
import type { OverlayEntry } from '@docent/base/files/base-tree';
import { withEllipsis } from '@docent/base/ellipsis';
import type { Failure } from '@docent/base/failure';
import { jobFailure } from '../../platform/errors.ts';
import { plural } from '@docent/base/plural';
import type { JobRow } from '../../store/jobs/jobs.ts';
import type { ProjectRow } from '../../store/projects/projects.ts';
import { policyOf, type ActivityDeps } from '../deps.ts';
import type { ActivityRun } from '../run-activity.ts';
import { snapshotOf, type LocatedTurn } from '../open/turn-context.ts';

/** An outgoing text that looks like a secret, without its value. */
export interface OutgoingSecret {
  /** For example `guides/start.mdx, line 12`. */
  where: string;
  kind: string;
  /** See secretId. */
  id: string;
}

const MAX_SHOWN = 5;
const MAX_PATH = 120;

/** The ids that the project's people let through. */
export function allowedSecrets({ settings }: Pick<ProjectRow, 'settings'>): readonly string[] {
  return effectiveSettings(settings).allowedSecrets;
}

/** An outgoing text, with `[secret]` for each secret that is not allowed. */
export async function hideSecrets(text: string, allowed: readonly string[]): Promise<string> {
  return withoutSecrets(text, await unallowed(text, allowed));
}

/**
 * Secrets in added text, names of new files, and closing text. Depends only on rows and the snapshot.
 * @param closing null if the agent has none
 */
export async function outgoingSecrets(
  deps: Pick<ActivityDeps, 'agents' | 'db' | 'git' | 'hosts' | 'settings'>,
  at: { job: JobRow; project: ProjectRow; turn: LocatedTurn; overlay: OverlayEntry[]; closing: string | null },
  run: ActivityRun,
): Promise<OutgoingSecret[]> {
  const allowed = allowedSecrets(at.project);
  const found: OutgoingSecret[] = [];
  if (at.overlay.length > 0) {
    const inPages = await deps.agents.findAddedSecrets(
      {
        snapshotPath: await snapshotOf(deps, at, at.turn, run),
        overlay: at.overlay,
        policy: policyOf(deps.settings, at.project),
        allowed,
      },
      { signal: run.signal },
    );
    for (const secret of inPages) found.push({ ...secret, where: await placeOf(secret) });
  }
  for (const { path, content, blobId } of at.overlay) {
    if (content === null && blobId === null) continue;
    for (const { kind, id } of await unallowed(path, allowed)) found.push({ where: 'the name of a file', kind, id });
  }
  for (const { kind, id } of await unallowed(at.closing ?? '', allowed)) {
    found.push({ where: 'the closing words', kind, id });
  }
  return found;
}

async function unallowed(text: string, allowed: readonly string[]) {
  return (await findSecrets(text)).filter(({ id }) => !allowed.includes(id));
}

async function placeOf({ path, line }: PageSecret): Promise<string> {
  return `${withEllipsis(visibleName(await hideSecrets(path, [])), MAX_PATH)}, line ${line}`;
}

/** The first notice to the agent, so that it can remove the secrets itself. */
export function secretsNotice(found: readonly OutgoingSecret[]): Notice {
  return {
    role: 'notice',
    text: [
      'Nothing was published, because this looks like secrets:',
      ...found.slice(0, MAX_SHOWN * 2).map(({ where, kind }) => `- ${where}: ${kind}`),
      'Put placeholders in their place, such as YOUR_API_KEY, also in what you say. Do not repeat the ' +
        'values. You cannot allow them; if they are to stay, say so, and a person decides.',
    ].join('\n'),
  };
}

/** For the job's events. */
export function hasSecrets(found: readonly OutgoingSecret[]): string {
  return `It may contain ${plural(found.length, 'secret')}, which is not published.`;
}

/** Ends the turn. Names each secret, and asks what to do. The agent's change is kept for the next turn. */
export function secretFailure(found: readonly OutgoingSecret[], project: Pick<ProjectRow, 'id'>): Failure {
  const shown = found.slice(0, MAX_SHOWN).map(({ where, kind, id }) => `${kind} in ${where} (${id})`);
  const more = found.length > MAX_SHOWN ? ` and ${found.length - MAX_SHOWN} more` : '';
  const ids = [...new Set(found.map(({ id }) => id))].slice(0, MAX_SHOWN);
  return jobFailure(
    'secret_found',
    `Nothing was published, because the change may contain ${plural(found.length, 'secret')}: ${shown.join('; ')}${more}. ` +
      `Send a message with what to write instead. If ${ids.length === 1 ? 'it is' : 'they are'} meant to be public: ` +
      `docent project update ${project.id} ${ids.map((id) => `--allow-secret ${id}`).join(' ')}, then send a message to continue.`,
  );
}
