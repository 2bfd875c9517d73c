import { DAY_MS } from '@docent/base/time';
import { effectiveSettings } from '../../store/projects/project-settings.ts';
import { suggestionsOf, type ReaderFacts, type ReaderReports, type StalePage } from '../../jobs/suggestions.ts';
import { AppError } from '../../platform/errors.ts';
import { findSecrets, withoutSecrets } from '@docent/find-secrets/find-secrets';
import { countReports, type SignalSubject } from '../../store/automations/reader-signals.ts';
import { listPublishedCitations } from '../../store/jobs/citations.ts';
import { findInstallationModel, modelOfProject } from '../../store/installation/installation-model.ts';
import { type ProjectRow, requireProject } from '../../store/projects/projects.ts';
import { seenProblems } from '../../store/projects/seen-problems.ts';
import type { Handler } from '../contract/handler.ts';
import type { ApiServices } from '../services.ts';

const DAYS = 30;
/** More than are suggested: some are left out. */
const CONSIDERED = 25;

export const listSuggestions: Handler<'listSuggestions'> = async ({ path }, services) => {
  const project = await requireProject(services.db, path.projectId);
  const [readers, problems, installed, stale, said] = await Promise.all([
    readerFacts(services, path.projectId),
    seenProblems(services.db, project),
    findInstallationModel(services.db, services.config.model),
    stalePages(services.db, project),
    readerReports(services.db, project),
  ]);
  const { model } = modelOfProject(project, installed);
  const suggestions = suggestionsOf(readers, problems, model, { stale, said });
  return { status: 200, body: { suggestions, model, readersKnown: readers !== null } };
};

const MOST_STALE = 200;

/** Hides what looks like a secret, unless the project allows it. */
function hider({ settings }: ProjectRow): (text: string) => Promise<string> {
  const { allowedSecrets: allowed } = effectiveSettings(settings);
  return async (text) =>
    withoutSecrets(
      text,
      (await findSecrets(text)).filter(({ id }) => !allowed.includes(id)),
    );
}

/** Said by one reader, it may be anything. */
const LEAST_SAID = 2;
/** Some are left out. */
const SAID_AT = 5;

async function readerReports(db: ApiServices['db'], project: ProjectRow): Promise<ReaderReports> {
  const shown = hider(project);
  const asked = {
    projectId: project.id,
    from: new Date(Date.now() - DAYS * DAY_MS),
    threshold: LEAST_SAID,
    limit: SAID_AT,
  };
  const said = async (signal: 'search_without_click' | 'negative_feedback'): Promise<SignalSubject[]> =>
    Promise.all(
      (await countReports(db, signal, asked)).map(async ({ subject, visitors, comments }) => ({
        subject: await shown(subject),
        visitors,
        comments: await Promise.all(comments.map(shown)),
      })),
    );
  const [searches, unhelpful] = await Promise.all([said('search_without_click'), said('negative_feedback')]);
  return { searches, unhelpful };
}

async function stalePages(db: ApiServices['db'], project: ProjectRow): Promise<StalePage[]> {
  const found = await listPublishedCitations(db, {
    project,
    states: ['stale', 'gone'],
    limit: MOST_STALE,
  });
  const shown = hider(project);
  const pages = Map.groupBy(found, ({ citation }) => citation.movedPage ?? citation.page);
  return Promise.all(
    [...pages].map(async ([page, rows]) => ({
      page,
      citations: await Promise.all(
        rows.map(async ({ citation: { line, movedLine, claim, source, path, fromLine, toLine, lines, newLines } }) => ({
          line: movedLine ?? line,
          claim,
          source: `${source}:${path}#L${fromLine}-L${toLine}`,
          oldLines: await shown(lines),
          newLines: newLines === null ? null : await shown(newLines),
        })),
      ),
    })),
  );
}

/** Null while analytics is unavailable: the other suggestions are returned anyway. */
async function readerFacts({ analytics, log }: ApiServices, projectId: string): Promise<ReaderFacts | null> {
  try {
    const { queries } = analytics();
    const range = { from: Date.now() - DAYS * DAY_MS, to: null };
    const paging = { limit: CONSIDERED, offset: 0 };
    const { missing, read } = await analytics().ask(projectId, {}, async (pinned) => ({
      missing: (await queries.notFound(pinned, range, paging)).rows,
      read: (await queries.byPath(pinned, 'views', range, paging)).rows,
    }));
    const people = read.filter(({ human }) => human > 0).toSorted((a, b) => b.human - a.human);
    return { days: DAYS, missing, read: people.map(({ path, human }) => ({ path, count: human })) };
  } catch (err) {
    if (err instanceof AppError && err.code === 'project_not_found') throw err;
    log.warn({ err, projectId }, 'suggestions omit reader data');
    return null;
  }
}
