import { DEFAULT_SALTS } from '../../store/analytics-settings.ts';
import { modelOfProject, type InstallationModel } from '../../store/installation/installation-model.ts';
import { completeSettings } from '../../store/projects/project-settings.ts';
import { repositoryUrl, type ProjectRow } from '../../store/projects/projects.ts';
import type { components } from '../generated/openapi.ts';

const DAY_MS = 86_400_000;

export function presentProject(project: ProjectRow, installed: InstallationModel): components['schemas']['Project'] {
  return {
    id: project.id,
    host: project.host,
    repository: project.repository,
    repositoryUrl: repositoryUrl(project),
    ref: project.ref,
    docsDir: project.docsDir,
    ...modelOfProject(project, installed),
    settings: completeSettings(project.settings),
    analyticsSalts: (project.settings.analyticsSalts ?? DEFAULT_SALTS).map(({ policy, fromDay }) => ({
      policy,
      from: fromDay === null ? null : new Date(fromDay * DAY_MS).toISOString().slice(0, 10),
    })),
    createdAt: project.createdAt.toISOString(),
    updatedAt: project.updatedAt.toISOString(),
  };
}
