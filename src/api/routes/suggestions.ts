import { suggestionsOf, type ReaderFacts } from '../../jobs/suggestions.ts';
import { AppError } from '../../platform/errors.ts';
import { findInstallationModel, modelOfProject } from '../../store/installation-model.ts';
import { findProject, projectNotFound } from '../../store/projects.ts';
import { seenProblems } from '../../store/seen-problems.ts';
import type { Handler, Handlers } from '../contract/handler.ts';
import type { ApiServices } from '../services.ts';

const DAYS = 30;
const DAY_MS = 86_400_000;
/** More than are suggested: some are left out. */
const LOOKED_AT = 25;

const listSuggestions: Handler<'listSuggestions'> = async ({ path }, services) => {
  const project = await findProject(services.db, path.projectId);
  if (!project) throw projectNotFound(path.projectId);
  const [readers, problems, installed] = await Promise.all([
    readerFacts(services, path.projectId),
    seenProblems(services.db, project),
    findInstallationModel(services.db, services.config.model),
  ]);
  const { model } = modelOfProject(project, installed);
  const suggestions = suggestionsOf(readers, problems, model);
  return { status: 200, body: { suggestions, model, readersKnown: readers !== null } };
};

/** Null while the analytics cannot be asked: the rest is told all the same. */
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

export const suggestionRoutes = { listSuggestions } satisfies Partial<Handlers>;
