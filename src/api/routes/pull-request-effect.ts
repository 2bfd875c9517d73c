import { normalizePath } from '@docent/access-log/pages/normalize-path';
import { isWhole, windowsAround, type Windows } from '../../analytics/query/page-effect.ts';
import { addressesInDiff, changedAddresses } from '../../jobs/changed-addresses.ts';
import { AppError } from '../../platform/errors.ts';
import { countReportsAround, type PageReports } from '../../store/analytics/reader-reports.ts';
import type { Queryable } from '../../store/database.ts';
import type { StoredAddresses } from '../../store/jobs/changes-schema.ts';
import { listReviewRounds } from '../../store/jobs/review-rounds.ts';
import { type ProjectRow, requireProject } from '../../store/projects/projects.ts';
import { findPullRequestById, type PullRequestRow } from '../../store/pull-requests/pull-requests.ts';
import type { Handler } from '../contract/handler.ts';
import type { components } from '@docent/client';

type PageReaders = components['schemas']['PageReaders'];

const DAYS = 28;
const MAX_PAGES = 500;

export const getPullRequestEffect: Handler<'getPullRequestEffect'> = async ({ path }, { db, analytics }) => {
  const { projectId, prId } = path;
  const project = await requireProject(db, projectId);
  const row = await findPullRequestById(db, prId);
  if (row?.projectId !== projectId) {
    throw new AppError('pull_request_not_found', `Pull request ${prId} does not exist in this project.`);
  }
  if (row.state !== 'merged' || row.settledAt === null) {
    throw new AppError('pull_request_not_merged', 'The pull request is not merged. Merge it first.');
  }
  const windows = windowsAround(row.settledAt.getTime(), DAYS);
  const pages = await pagesOf(db, project, row);
  const addresses = pages.map((page) => page.addresses);
  const { queries } = analytics();
  const { counted, whole, version, mapping } = await analytics().ask(projectId, {}, async (pinned) => ({
    counted: await queries.around(pinned, windows, addresses),
    whole: partsOf(windows).map((part) => isWhole(pinned, part, Date.now())),
  }));
  const words = await countReportsAround(db, { projectId, ...windows }, addresses);
  const found = pages.map(({ path: file, addresses: [address = '', ...movedFrom] }, no) => {
    const said = (later: boolean) => words.find((each) => each.no === no && each.later === later);
    const { before, after } = counted[no]!;
    return {
      path: address,
      file,
      movedFrom,
      before: { ...before, ...wordsIn(said(false)) },
      after: { ...after, ...wordsIn(said(true)) },
    };
  });
  const [before, after] = partsOf(windows).map(({ from, to }, i) => ({
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    complete: whole[i]!,
  })) as [components['schemas']['EffectWindow'], components['schemas']['EffectWindow']];
  const visitors = (page: (typeof found)[number]) => readersIn(page.before) + readersIn(page.after);
  return {
    status: 200,
    body: {
      mergedAt: row.settledAt.toISOString(),
      window: { days: DAYS, complete: before.complete && after.complete, before, after },
      pages: found.toSorted((a, b) => visitors(b) - visitors(a) || (a.path < b.path ? -1 : 1)).slice(0, MAX_PAGES),
      mapping: { human: [...mapping.human], ai: [...mapping.ai] },
      version,
    },
  };
};

/** With addresses as page views have them. */
async function pagesOf(db: Queryable, project: ProjectRow, row: PullRequestRow): Promise<StoredAddresses[]> {
  const rounds = await listReviewRounds(db, row.jobId, { chainNo: row.chainNo });
  const checked = changedAddresses(rounds.map((round) => round?.addresses ?? []));
  const pages = checked.length > 0 ? checked : addressesInDiff(row.diff, project.docsDir);
  const { analyticsPathPrefix: prefix = '' } = project.settings;
  return pages.flatMap(({ path, addresses }) => {
    const known = new Set(addresses.flatMap((address) => normalizePath(prefix + address)?.path ?? []));
    return known.size === 0 ? [] : [{ path, addresses: [...known] }];
  });
}

const partsOf = ({ from, at, to }: Windows) => [
  { from, to: at },
  { from: at, to },
];

const wordsIn = (said: PageReports | undefined) => ({
  searches: said?.searches ?? 0,
  negativeFeedback: said?.negativeFeedback ?? 0,
});

const readersIn = ({ human, ai, notFound }: PageReaders): number => human + ai + notFound;
