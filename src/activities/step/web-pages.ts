import { isListedPage, readPage } from '@docent/base/net/page-pattern';
import type { WebPage } from '@docent/agent/tools/tool-session';
import { askedPage } from '@docent/agent/tools/web-read';
import type { ToolCall } from '@docent/models/conversation/tool-call';
import { findWebPage, saveWebPage } from '../../store/jobs/web-pages.ts';
import { effectiveSettings } from '../../store/projects/project-settings.ts';
import type { ProjectRow } from '../../store/projects/projects.ts';
import type { ActivityDeps } from '../deps.ts';
import type { ActivityRun } from '../run-activity.ts';
import { fetchPage } from './fetch-page.ts';

/** Of one answer. */
const MOST_PAGES = 5;

/**
 * The pages that calls ask for. Each is fetched once per job, so its text stays the same while the agent
 * works.
 */
export async function webPagesForCalls(
  deps: Pick<ActivityDeps, 'db' | 'agents' | 'fetchPage'>,
  { jobId, project }: { jobId: string; project: Pick<ProjectRow, 'settings'> },
  calls: readonly ToolCall[],
  run: Pick<ActivityRun, 'signal'>,
): Promise<{ webPages?: WebPage[] }> {
  const asked = new Set(
    calls.flatMap(({ name, input }) => (name.includes('web_read') ? (askedPage(input) ?? []) : [])),
  );
  if (asked.size === 0) return {};
  const { webPages: patterns } = effectiveSettings(project.settings);
  const webPages: WebPage[] = [];
  for (const [i, url] of [...asked].entries()) {
    webPages.push(
      i < MOST_PAGES
        ? await pageOf(deps, { jobId, asked: url, patterns }, run)
        : { asked: url, problem: `Read at most ${MOST_PAGES} web pages at once.` },
    );
  }
  return { webPages };
}

async function pageOf(
  { db, agents, fetchPage: fetch }: Pick<ActivityDeps, 'db' | 'agents' | 'fetchPage'>,
  { jobId, asked, patterns }: { jobId: string; asked: string; patterns: readonly string[] },
  { signal }: Pick<ActivityRun, 'signal'>,
): Promise<WebPage> {
  if (patterns.length === 0) return { asked, problem: 'This project has no web pages to read.' };
  const page = readPage(asked);
  const known = page && isListedPage(patterns, page) ? await findWebPage(db, { jobId, asked }) : null;
  if (known) return { asked, ...known };
  const sent = await fetchPage(fetch, { asked, patterns }, signal);
  if ('problem' in sent) return { asked, problem: sent.problem };
  const { url, isHtml, body } = sent;
  const text = isHtml ? await agents.readWebPage({ html: body, url }, { signal }) : body;
  return (await saveWebPage(db, { jobId, asked, url, text }))
    ? { asked, url, text }
    : { asked, problem: 'The job has read as many web pages as it may.' };
}
