import { href } from './address.ts';

const project = (id: string) => `/projects/${encodeURIComponent(id)}`;

/** The addresses of the pages. Ids are the API's. */
export const to = {
  home: () => href('/'),
  signIn: () => href('/sign-in'),
  projects: () => href('/projects'),
  newProject: () => href('/projects/new'),
  project: (id: string) => href(project(id)),
  jobs: (id: string, state?: string) => href(`${project(id)}/jobs${state ? `?state=${state}` : ''}`),
  pullRequests: (id: string) => href(`${project(id)}/pull-requests`),
  newJob: (id: string, prompt?: string) =>
    href(`${project(id)}/jobs/new${prompt ? `?prompt=${encodeURIComponent(prompt)}` : ''}`),
  /** The form of a recipe, with some of its fields filled in. */
  newRecipe: (id: string, recipe: string, values: Record<string, string>) =>
    href(`${project(id)}/jobs/new?${new URLSearchParams({ recipe, ...values }).toString()}`),
  job: (id: string, jobId: string) => href(`${project(id)}/jobs/${encodeURIComponent(jobId)}`),
  changes: (id: string, jobId: string) => href(`${project(id)}/jobs/${encodeURIComponent(jobId)}/changes`),
  analytics: (id: string) => href(`${project(id)}/analytics`),
  automations: (id: string) => href(`${project(id)}/automations`),
  automation: (id: string, automationId: string) =>
    href(`${project(id)}/automations/${encodeURIComponent(automationId)}`),
  webhooks: (id: string) => href(`${project(id)}/webhooks`),
  webhook: (id: string, webhookId: string) => href(`${project(id)}/webhooks/${encodeURIComponent(webhookId)}`),
  settings: (id: string) => href(`${project(id)}/settings`),
  keys: () => href('/keys'),
  hosts: () => href('/hosts'),
  model: () => href('/model'),
  people: () => href('/people'),
  audit: () => href('/audit'),
  health: () => href('/health'),
  account: () => href('/account'),
  docs: () => href('/docs'),
  checkRule: (code: string) => href(`/docs/reference/check-rules#${encodeURIComponent(code)}`),
  setUpModel: () => href('/docs/agent/models#choose-a-model'),
  apiReference: () => href('/docs/api'),
};
