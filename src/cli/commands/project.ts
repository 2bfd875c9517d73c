import type { components } from '@docent/client';
import { Command, Option } from 'commander';
import { PROJECT_SETTINGS } from '../../config/project-settings.ts';
import { SITE_KIND_NAMES } from '@docent/docs-check/read/site-kind-names';
import { mayAsk } from '@docent/base/terminal/ask';
import { confirm, YES } from '@docent/base/terminal/confirm';
import { askWhichSite } from '@docent/docs-check/cli/ask-site';
import { ServerRefusal } from '@docent/base/terminal/failures';
import { fields, print, safe, tableOr, inUtc, table } from '@docent/base/terminal/terminal-text';
import { assertChange, folderIn, repository } from '@docent/cli/parsing';
import { addCheckCommand } from './project-check.ts';
import { defaultText, settingLines, settingsIn, withSettings } from './project-settings.ts';
import { allPages } from '@docent/cli/all-pages';
import { answerOf } from '@docent/base/terminal/api-answer';
import { serverOf, withServer, type Server } from '@docent/cli/server';
import { dollars, usageText } from '@docent/cli/usage-text';

/** `docent project usage` */
async function showUsage(
  projectId: string,
  { from, to, json }: { from?: string; to?: string; json?: boolean },
  command: Command,
): Promise<void> {
  const { client, url } = serverOf(command);
  const query = { dateFrom: from, dateTo: to };
  const request = client.GET('/v2/agent/{projectId}/usage', { params: { path: { projectId }, query } });
  const answer = await answerOf(url, request);
  print(json, answer, () => {
    if (answer.days.length === 0) return 'No model usage in this period.';
    const days = answer.days.map(({ day, jobs, usage }) => [
      day,
      ...[jobs, usage.modelCalls, usage.inputTokens, usage.cachedInputTokens, usage.outputTokens].map((value) =>
        value.toLocaleString('en'),
      ),
      dollars(usage.costUsd),
    ]);
    const sum = fields({ total: usageText(answer.usage) ?? 'no tokens' });
    return `${table(['DAY', 'JOBS', 'CALLS', 'INPUT', 'CACHED', 'OUTPUT', 'COST'], days)}\n\n${sum}`;
  });
}

type ProjectInstructions = components['schemas']['ProjectInstructions'];

/** A repository's instructions for the agent, or why they are unknown, which is not a failure. */
type ShownInstructions = { instructions: ProjectInstructions } | { instructions: null; instructionsProblem: string };

async function findInstructions({ client, url }: Server, projectId: string): Promise<ShownInstructions> {
  try {
    const answer = client.GET('/v1/projects/{projectId}/instructions', { params: { path: { projectId } } });
    return { instructions: await answerOf(url, answer) };
  } catch (err) {
    if (!(err instanceof ServerRefusal)) throw err;
    return { instructions: null, instructionsProblem: err.message };
  }
}

function describeInstructions(shown: ShownInstructions): string {
  if (shown.instructions === null) {
    return safe(`The repository’s instructions for the agent could not be read: ${shown.instructionsProblem}`);
  }
  const { ref, commit, includedCharacters, files } = shown.instructions;
  const at = `${ref} at ${commit.slice(0, 7)}`;
  if (files.length === 0) return safe(`The repository has no instructions for the agent (${at}).`);
  const rows = files.map(({ path, role, characters, includedCharacters: included, why }) => [
    included === 0 ? 'no' : included.toLocaleString('en'),
    characters?.toLocaleString('en') ?? '–',
    role === 'styleGuide' ? 'style guide' : 'instructions',
    path,
    why,
  ]);
  const title = `Repository instructions for the agent: ${includedCharacters.toLocaleString('en')} characters (${at})`;
  return `${safe(title)}\n${table(['INCLUDED', 'OF', 'AS', 'FILE', 'WHY'], rows)}`;
}

interface ProjectOptions {
  repository?: string;
  ref?: string;
  docsDir?: string;
  model?: string;
  host?: string;
  json?: boolean;
}

type Project = components['schemas']['Project'];

/** `docent project …` */
export function projectCommand(): Command {
  const project = new Command('project').description(
    'manage projects: the repositories that jobs work on (requires the operator token)',
  );
  withServer(withProjectOptions(project.command('create <id>')))
    .description('create a project; the repository is checked first')
    .addHelpText(
      'after',
      `
Examples:
  $ docent project create handbook --repository ~/work/handbook --docs-dir docs
  $ docent project create site --repository /srv/git/site.git --ref release
  $ docent project create guide --repository https://github.com/acme/docs --label docs --reviewer octocat`,
    )
    .action(create);
  addCheckCommand(project);
  withServer(project.command('list')).description('list the projects').action(list);
  withServer(project.command('show <id>'))
    .description('show a project and its repository’s instructions for the agent')
    .action(show);
  withServer(withProjectOptions(project.command('update <id>')))
    .description('change the given settings of a project')
    .action(update);
  withServer(project.command('usage <id>'))
    .description('show token usage and cost of a project by day (UTC)')
    .option('--from <date>', 'first day (UTC), or a time')
    .option('--to <date>', 'end (exclusive): a day (UTC) or a time')
    .action(showUsage);
  withServer(project.command('delete <id>'))
    .description('delete a project with its jobs; the repository and its branches stay')
    .option(...YES)
    .action(remove);
  return project;
}

function withProjectOptions(command: Command): Command {
  const isNew = command.name() === 'create';
  const place = new Option(
    '--repository <path>',
    'URL on a code host, or path of a git repository on the server',
  ).argParser(repository);
  command
    .addOption(isNew ? place.makeOptionMandatory() : place)
    .option('--host <name>', 'code host, if several match the URL')
    .option('--ref <branch>', "base branch of pull requests (default: the repository's default branch)")
    .option('--docs-dir <folder>', 'folder that the agent may change (default: the whole repository)')
    .option('--model <model>', 'model of new jobs (`default`: the default model of the installation)');
  return withSettings(command);
}

function bodyOf({ repository, host, ref, docsDir, model }: ProjectOptions, command: Command) {
  return {
    repository,
    host,
    ref,
    docsDir: folderIn(docsDir),
    model: model === 'default' ? null : model,
    settings: settingsIn(command),
  };
}

async function create(id: string, options: ProjectOptions, command: Command): Promise<void> {
  const { client, url } = serverOf(command);
  const body = { ...bodyOf(options, command), id, repository: options.repository ?? '' };
  const project = await answerOf(url, client.POST('/v1/projects', { body }));
  const known = await siteAsked(project, options, (site) => changed(command, id, { settings: { site } }));
  print(options.json, known, () => `Created.\n${describe(known)}`);
}

async function list(options: ProjectOptions, command: Command): Promise<void> {
  const { client, url } = serverOf(command);
  const projects = await allPages(async (query) => {
    const page = await answerOf(url, client.GET('/v1/projects', { params: { query } }));
    return { items: page.projects, next: page.nextCursor };
  });
  print(options.json, projects, () =>
    tableOr(
      'No projects yet. Create one: docent project create ID --repository URL',
      ['ID', 'BASE', 'DOCS', 'MODEL', 'REPOSITORY'],
      projects.map(({ id, ref, docsDir, model, repository }) => [id, ref, docsDir || '/', model, repository]),
    ),
  );
}

function getProject(command: Command, projectId: string) {
  const { client, url } = serverOf(command);
  return answerOf(url, client.GET('/v1/projects/{projectId}', { params: { path: { projectId } } }));
}

async function show(id: string, options: ProjectOptions, command: Command): Promise<void> {
  const project = await getProject(command, id);
  const instructions = await findInstructions(serverOf(command), id);
  print(
    options.json,
    { ...project, ...instructions },
    () => `${describe(project)}\n\n${describeInstructions(instructions)}`,
  );
}

async function update(projectId: string, options: ProjectOptions, command: Command): Promise<void> {
  const body = bodyOf(options, command);
  assertChange(body, 'Specify what to change. See `docent project update --help`.');
  const project = await changed(command, projectId, body);
  print(options.json, project, () => `Changed.\n${describe(project)}`);
}

function changed(command: Command, projectId: string, body: components['schemas']['ProjectChange']): Promise<Project> {
  const { client, url } = serverOf(command);
  return answerOf(url, client.PATCH('/v1/projects/{projectId}', { params: { path: { projectId } }, body }));
}

/** Asks on a terminal which of several sites is meant. The project exists anyway. */
async function siteAsked(
  project: Project,
  { json }: ProjectOptions,
  set: (site: string) => Promise<Project>,
): Promise<Project> {
  const { unsure, candidates = [] } = project.site ?? {};
  if (!unsure || candidates.length === 0 || !mayAsk(!json)) return project;
  return set(await askWhichSite(candidates));
}

async function remove(projectId: string, options: { yes?: boolean; json?: boolean }, command: Command): Promise<void> {
  const { client, url } = serverOf(command);
  const what = `This deletes the project ${projectId} at ${url} with all its jobs and page views.`;
  await confirm(what, { ...options, typed: projectId });
  await answerOf(url, client.DELETE('/v1/projects/{projectId}', { params: { path: { projectId } } }));
  print(options.json, { id: projectId, deleted: true }, () => `Deleted ${projectId}.`);
}

function describe(project: Project): string {
  return fields({
    id: project.id,
    host: project.host,
    repository: project.repository,
    base: project.ref,
    docs: project.docsDir || '/',
    model: project.modelFrom === 'project' ? project.model : `${project.model} (the installation’s default)`,
    ...settingLines(project.settings),
    [PROJECT_SETTINGS.site.shownAs]: foundSite(project),
    [PROJECT_SETTINGS.analyticsSaltPolicy.shownAs]: saltPolicies(project),
    created: inUtc(project.createdAt),
  });
}

/** The policies and the days from which they apply. */
function saltPolicies({ analyticsSalts }: Project): string {
  const [first, ...later] = analyticsSalts;
  const { analyticsSaltPolicy } = PROJECT_SETTINGS;
  if (later.length === 0 && first?.policy === analyticsSaltPolicy.fallback) return defaultText(analyticsSaltPolicy);
  return analyticsSalts.map(({ policy, from }) => (from === null ? policy : `${policy} from ${from}`)).join(', ');
}

/** The detected site, with what to do if it is uncertain; without a detection, the project's setting. */
function foundSite({ id, site, settings }: Project): string {
  if (!site) return settings.site ?? defaultText(PROJECT_SETTINGS.site);
  const { kind, config, pages, unsure, docsFolder } = site;
  const count = `${pages} ${pages === 1 ? 'page' : 'pages'}`;
  const where = docsFolder === undefined ? '' : `. ${safe(docsFolder)}`;
  const found = `${SITE_KIND_NAMES[kind]}${config === null ? '' : ` (${safe(config)})`}, ${count}${where}`;
  return unsure === null
    ? found
    : `${found.replace(/\.$/, '')}. ${safe(unsure)} To set it: docent project update ${id} --site PATH`;
}
