import { effectiveSettings } from '../../store/projects/project-settings.ts';
import { suggestionsOf, type ReaderFacts, type StalePage } from '../../jobs/suggestions.ts';
import { AppError } from '../../platform/errors.ts';
import { findSecrets, withoutSecrets } from '../../platform/secrets/find-secrets.ts';
import { listPublishedCitations } from '../../store/jobs/citations.ts';
import { findInstallationModel, modelOfProject } from '../../store/installation/installation-model.ts';
import { findProject, projectNotFound, type ProjectRow } from '../../store/projects/projects.ts';
import { seenProblems } from '../../store/projects/seen-problems.ts';
import type { Handler } from '../contract/handler.ts';
import type { ApiServices } from '../services.ts';

const DAYS = 30;
const DAY_MS = 86_400_000;
/** More than are suggested: some are left out. */
const LOOKED_AT = 25;

export const listSuggestions: Handler<'listSuggestions'> = async ({ path }, services) => {
  const project = await findProject(services.db, path.projectId);
  if (!project) throw projectNotFound(path.projectId);
  const [readers, problems, installed, stale] = await Promise.all([
    readerFacts(services, path.projectId),
    seenProblems(services.db, project),
    findInstallationModel(services.db, services.config.model),
    stalePages(services.db, project),
  ]);
  const { model } = modelOfProject(project, installed);
  const suggestions = suggestionsOf(readers, problems, model, stale);
  return { status: 200, body: { suggestions, model, readersKnown: readers !== null } };
};

const MOST_STALE = 200;

async function stalePages(db: ApiServices['db'], { id: projectId, settings }: ProjectRow): Promise<StalePage[]> {
  const found = await listPublishedCitations(db, { projectId, states: ['stale', 'gone'], limit: MOST_STALE });
  const { allowedSecrets: allowed } = effectiveSettings(settings);
  const shown = async (text: string) =>
    withoutSecrets(
      text,
      (await findSecrets(text)).filter(({ id }) => !allowed.includes(id)),
    );
  const pages = Map.groupBy(found, ({ citation }) => citation.page);
  return Promise.all(
    [...pages].map(async ([page, rows]) => ({
      page,
      citations: await Promise.all(
        rows.map(async ({ citation: { line, claim, source, path, fromLine, toLine, lines, newLines } }) => ({
          line,
          claim,
          source: `${source}:${path}#L${fromLine}-L${toLine}`,
          oldLines: await shown(lines),
          newLines: newLines === null ? null : await shown(newLines),
        })),
      ),
    })),
  );
}

/** Null while analytics is unavailable: the other suggestions are returned all the same. */
async function readerFacts({ analytics, log }: ApiServices, projectId: string): Promise<ReaderFacts | null> {
  try {
    const { queries } = analytics();
    const range = { from: Date.now() - DAYS * DAY_MS, to: null };
    const paging = { limit: LOOKED_AT, offset: 0 };
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
