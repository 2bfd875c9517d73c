import { pathToFileURL } from 'node:url';
import type { ProjectRow } from '../../store/projects.ts';
import type { components } from '../generated/openapi.ts';

export function presentProject(project: ProjectRow): components['schemas']['Project'] {
  return {
    id: project.id,
    host: project.host,
    repository: project.repository,
    repositoryUrl: repositoryUrl(project),
    ref: project.ref,
    docsDir: project.docsDir,
    model: project.model,
    settings: {
      branchPrefix: project.settings.branchPrefix ?? null,
      archiveAfterDays: project.settings.archiveAfterDays ?? null,
      analyticsOrigins: project.settings.analyticsOrigins ?? null,
    },
    createdAt: project.createdAt.toISOString(),
    updatedAt: project.updatedAt.toISOString(),
  };
}

/** The repository's full URL, `file:` for one on this machine. */
export function repositoryUrl(project: Pick<ProjectRow, 'host' | 'repository'>): string {
  return project.host === 'local' ? pathToFileURL(project.repository).href : project.repository;
}
