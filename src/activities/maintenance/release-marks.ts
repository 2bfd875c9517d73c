import { messageOf } from '@docent/base/thrown';
import { openForReading, type CodeHosts } from '../../code-hosts/host.ts';
import { PeriodicTask } from '../../jobs/periodic-task.ts';
import { listTaggedRepositories, noteTags, type TaggedRepository } from '../../store/analytics/annotations.ts';
import type { ActivityDeps } from '../deps.ts';

type MarkDeps = Pick<ActivityDeps, 'git' | 'log'> & { db: ActivityDeps['db']; hosts: Pick<CodeHosts, 'get'> };

const EVERY_MS = 15 * 60_000;
/** Of one repository. */
const MOST_TAGS = 20_000;

/** Marks new tags of the projects' repositories and sources in the charts of their readers. */
export function releaseMarks(deps: MarkDeps): PeriodicTask {
  return new PeriodicTask({
    db: deps.db,
    name: 'release-marks',
    everyMs: EVERY_MS,
    // Not immediately: short-lived processes should not contact every repository.
    round: (isNew, stopping) => (isNew ? Promise.resolve() : markReleases(deps, stopping)),
    failed: (err) => deps.log.debug({ err: messageOf(err) }, 'releases could not be marked'),
  });
}

/**
 * One round. Safe to run twice at the same time. A repository that cannot be read is read in the next round.
 */
export async function markReleases(deps: MarkDeps, signal: AbortSignal): Promise<void> {
  for (const place of await listTaggedRepositories(deps.db)) {
    if (signal.aborted) return;
    try {
      await markReleasesOf(deps, place, signal);
    } catch (err) {
      const { projectId, name } = place;
      deps.log.debug({ err: messageOf(err), projectId, name }, 'the tags of a repository could not be read');
    }
  }
}

async function markReleasesOf({ db, git, hosts, log }: MarkDeps, place: TaggedRepository, signal: AbortSignal) {
  const { endpoint } = await openForReading(hosts, place);
  const tags = [...(await git.listTags(endpoint, { signal })).keys()].toSorted().slice(0, MOST_TAGS);
  const marked = await db.transaction((tx) => noteTags(tx, place, tags));
  const { projectId, name } = place;
  if (marked > 0) log.info({ projectId, name, marked }, 'marked new tags in the analytics chart');
}
