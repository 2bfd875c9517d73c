import { AppError } from '../../platform/errors.ts';
import { ruleAddress } from '@docent/base/rule-address';
import type { CheckRepositoryResult, FoundSite } from '../../workflows/contract.ts';
import type { Handler } from '../contract/handler.ts';
import type { components } from '@docent/client';
import { hostFor } from './checked-repository.ts';

type RepositoryCheck = components['schemas']['RepositoryCheck'];

/** May come again and again while someone fills in a form: the newest of a caller ends the previous one. */
export const checkRepository: Handler<'checkRepository'> = async ({ body, request }, { db, workflows, urlOf }) => {
  const { repository, ref = null, docsDir = '' } = body;
  let host: string;
  try {
    host = await hostFor(db, repository, body.host);
  } catch (err) {
    if (!(err instanceof AppError && err.code === 'repository_refused')) throw err;
    return { status: 200, body: unusable({ repository, host: body.host ?? null, problem: err.message }) };
  }
  const asked = { host, repository, repositoryId: null, ref, docsDir, site: null, branchPrefix: null };
  const found = await workflows.surveyRepository(asked, request.caller);
  if (found.ok) return { status: 200, body: presentFound(found, host, urlOf('/docs')) };
  if (['unreachable', 'host_unavailable', 'host_rate_limited'].includes(found.code)) {
    throw new AppError('unavailable', found.message, { retryAfterSeconds: 10 });
  }
  return { status: 200, body: unusable({ repository, host, problem: found.message }) };
};

function presentFound(
  found: Extract<CheckRepositoryResult, { ok: true }>,
  host: string,
  docs: string,
): RepositoryCheck {
  const { repository, ref, commit, site, instructions = null, survey = null } = found;
  return {
    usable: true,
    problem: null,
    host,
    repository,
    ref,
    commit,
    suggestedDocsDir: site && docsDirOf(site),
    site,
    instructions,
    checks: survey && {
      pages: survey.pages,
      pagesWithoutDescription: survey.pagesWithoutDescription,
      problems: survey.problems.map((kind) => ({ ...kind, help: ruleAddress(docs, kind.code) })),
    },
    notes: [
      ...(site?.docsFolder ? [site.docsFolder] : []),
      ...(site
        ? []
        : [
            'The repository could not be read in time. You can create the project anyway; its first job reads the repository.',
          ]),
      ...(site && !survey ? ['The docs checks did not finish in time because the repository is large.'] : []),
    ],
  };
}

/** For Markdown without a generator, the docs folder is unknown. */
function docsDirOf({ kind, folder }: FoundSite): string | null {
  return kind === 'plain' ? null : folder;
}

function unusable(known: Pick<RepositoryCheck, 'repository' | 'host' | 'problem'>): RepositoryCheck {
  const nothing = { ref: null, commit: null, suggestedDocsDir: null, site: null, instructions: null, checks: null };
  return { usable: false, ...known, ...nothing, notes: [] };
}
