import { createInterface } from 'node:readline/promises';
import type { components } from '@docent/client';
import { Command, Option } from 'commander';
import { SITE_KIND_NAMES } from '../../../docs-site/read/describe-site.ts';
import {
  SALT_POLICIES,
  VISITOR_CLASSES,
  type SaltPolicy,
  type VisitorClass,
} from '../../../store/analytics-settings.ts';
import { answerOf } from '../../api-answer.ts';
import { askWhichSite, mayAsk } from './ask-site.ts';
import { CliFailure, EXIT } from '../../failures.ts';
import { fields, print, safe, table } from '../../terminal-text.ts';
import { classes, DEFAULT, origins, repository, retention, several, wholeNumber } from './parsing.ts';
import { budgetSettings, budgetWords, showUsage, withBudgets, type BudgetOptions } from './project-budgets.ts';
import { serverOf, withServer } from './server.ts';

interface ProjectOptions extends BudgetOptions {
  repository?: string;
  ref?: string;
  docsDir?: string;
  model?: string;
  host?: string;
  branchPrefix?: string;
  site?: string;
  draft?: boolean;
  label?: string[];
  reviewer?: string[];
  archiveAfterDays?: number;
  origin?: string[];
  retentionDays?: number | typeof DEFAULT;
  saltPolicy?: SaltPolicy;
  humanClasses?: VisitorClass[] | typeof DEFAULT;
  aiClasses?: VisitorClass[] | typeof DEFAULT;
  json?: boolean;
}

type Project = components['schemas']['Project'];

/** `docent project …` */
export function projectCommand(): Command {
  const project = new Command('project').description('the repositories that jobs work on (takes the operator token)');
  withServer(withProjectOptions(project.command('create <id>')))
    .option('--host <name>', 'code host, where several have repositories with such URLs')
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
  withServer(project.command('list')).description('list the projects').action(list);
  withServer(project.command('show <id>')).description('show a project').action(show);
  withServer(withProjectOptions(project.command('update <id>')))
    .description('change the given settings of a project and leave the others')
    .action(update);
  withServer(project.command('usage <id>'))
    .description('show what the project’s jobs took: tokens and cost, by day (UTC)')
    .option('--from <date>', 'first day, or moment')
    .option('--to <date>', 'the day or moment before which it ends')
    .action(showUsage);
  withServer(project.command('delete <id>'))
    .description('delete a project with its jobs; the repository and its branches stay')
    .option('--yes', 'do not ask')
    .action(remove);
  return project;
}

function withProjectOptions(command: Command): Command {
  const isNew = command.name() === 'create';
  const place = new Option(
    '--repository <path>',
    'URL on a code host, or path of a git repository on the server’s machine',
  ).argParser(repository);
  return withBudgets(command)
    .addOption(isNew ? place.makeOptionMandatory() : place)
    .option('--ref <branch>', 'base branch, to which pull requests go (default: the repository’s own)')
    .option('--docs-dir <folder>', 'folder that the agent may change (default: the whole repository)')
    .option(
      '--site <path>',
      'configuration of the site in the repository, or its folder (`plain`: files are read as they are; `default`: what Docent finds)',
    )
    .option('--model <model>', 'model of new jobs (default: the installation’s)')
    .option('--branch-prefix <prefix>', 'branches are <prefix>/<job id>')
    .option('--archive-after-days <days>', 'days without a message before a job is archived', wholeNumber(1, 3_650))
    .option('--draft', 'open pull requests as drafts')
    .option('--no-draft', 'open them ready for review')
    .option('--label <label>', 'label of new pull requests; may be repeated (`none`: no list)', several)
    .option('--reviewer <name>', 'account that is asked to review; may be repeated (`none`: no list)', several)
    .option('--origin <site>', 'site whose page script may send views; may be repeated (`any`: no list)', origins)
    .option(
      '--retention-days <days>',
      'days that page views are kept; 0: for ever (`default`: the installation’s)',
      retention,
    )
    .addOption(
      new Option('--salt-policy <policy>', 'for how long a visitor keeps one id: for ever, a month, a day').choices(
        SALT_POLICIES,
      ),
    )
    .option('--human-classes <classes>', `what counts as human, of ${VISITOR_CLASSES.join(', ')}`, classes)
    .option('--ai-classes <classes>', 'what counts as AI, of the same (`none`, `default`)', classes);
}

function bodyOf(given: ProjectOptions) {
  const { ref, docsDir, model, site, branchPrefix, archiveAfterDays, origin, draft, ...options } = given;
  const { retentionDays, saltPolicy, humanClasses, aiClasses } = options;
  const analyticsOrigins = origin?.includes('any') ? null : origin;
  const settings = {
    site: site === DEFAULT ? null : site,
    draft,
    labels: options.label?.includes('none') ? null : options.label,
    reviewers: options.reviewer?.includes('none') ? null : options.reviewer,
    branchPrefix,
    archiveAfterDays,
    analyticsOrigins,
    analyticsRetentionDays: orNull(retentionDays),
    analyticsSaltPolicy: saltPolicy,
    analyticsHumanClasses: orNull(humanClasses),
    analyticsAiClasses: orNull(aiClasses),
    ...budgetSettings(options),
  };
  const hasSettings = Object.values(settings).some((value) => value !== undefined);
  return { repository: options.repository, ref, docsDir, model, ...(hasSettings ? { settings } : {}) };
}

const orNull = <T>(value: T | typeof DEFAULT) => (value === DEFAULT ? null : value);

async function create(id: string, options: ProjectOptions, command: Command): Promise<void> {
  const { client, url } = serverOf(command);
  const body = {
    ...bodyOf(options),
    id,
    repository: options.repository ?? '',
    ...(options.host ? { host: options.host } : {}),
  };
  const project = await answerOf(url, client.POST('/v1/projects', { body }));
  const known = await siteAsked(project, options, (site) => changed(command, id, { settings: { site } }));
  print(options.json, known, () => `Created.\n${describe(known)}`);
}

async function list(options: ProjectOptions, command: Command): Promise<void> {
  const { client, url } = serverOf(command);
  const projects: Project[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: 100, ...(cursor ? { cursor } : {}) };
    const page = await answerOf(url, client.GET('/v1/projects', { params: { query } }));
    projects.push(...page.projects);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  print(options.json, projects, () =>
    table(
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
  print(options.json, project, () => describe(project));
}

async function update(projectId: string, options: ProjectOptions, command: Command): Promise<void> {
  const body = bodyOf(options);
  if (Object.values(body).every((value) => value === undefined))
    throw new CliFailure('Nothing to change was given. See `docent project update --help`.', EXIT.usage);
  const project = await changed(command, projectId, body);
  print(options.json, project, () => `Changed.\n${describe(project)}`);
}

function changed(command: Command, projectId: string, body: components['schemas']['ProjectChange']): Promise<Project> {
  const { client, url } = serverOf(command);
  return answerOf(url, client.PATCH('/v1/projects/{projectId}', { params: { path: { projectId } }, body }));
}

/** Where several sites could be meant, somebody at a terminal is asked. The project is there already: nothing hangs on the answer. */
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
  if (!options.yes) await confirm(`Delete the project ${projectId} with all its jobs? Type its id: `, projectId);
  await answerOf(url, client.DELETE('/v1/projects/{projectId}', { params: { path: { projectId } } }));
  print(options.json, { id: projectId, deleted: true }, () => `Deleted ${projectId}.`);
}

async function confirm(question: string, expected: string): Promise<void> {
  if (!process.stdin.isTTY) throw new CliFailure('Say --yes to delete without being asked.', EXIT.usage);
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(question);
  terminal.close();
  if (answer.trim() !== expected) throw new CliFailure('Nothing was deleted.', EXIT.usage);
}

function describe(project: Project): string {
  const { branchPrefix, archiveAfterDays, analyticsOrigins, draft, labels, reviewers, ...analytics } = project.settings;
  const { analyticsRetentionDays: kept, analyticsHumanClasses, analyticsAiClasses } = analytics;
  return fields({
    id: project.id,
    host: project.host,
    repository: project.repository,
    base: project.ref,
    docs: project.docsDir || '/',
    site: foundSite(project),
    model: project.model,
    branches: branchPrefix === null ? null : `${branchPrefix}/…`,
    'archived after': archiveAfterDays === null ? null : `${archiveAfterDays} days`,
    budgets: budgetWords(project.settings),
    'views from': analyticsOrigins?.join(', ') ?? null,
    drafts: draft === null ? null : draft ? 'yes' : 'no',
    labels: labels?.join(', ') ?? null,
    reviewers: reviewers?.join(', ') ?? null,
    'views kept': kept === null ? null : kept === 0 ? 'for ever' : `${kept} days`,
    'visitors keep an id':
      project.analyticsSalts.length === 1 && project.analyticsSalts[0]?.policy === 'fixed'
        ? null
        : project.analyticsSalts
            .map(({ policy, from }) => (from === null ? policy : `${policy} from ${from}`))
            .join(', '),
    human: analyticsHumanClasses?.join(', ') ?? null,
    AI: analyticsAiClasses?.join(', ') ?? null,
    created: project.createdAt,
  });
}

/** What was found, with what to do where that is not sure; where nothing was looked for, what the project says. */
function foundSite({ id, site, settings }: Project): string | null {
  if (!site) return settings.site;
  const { kind, config, pages, unsure } = site;
  const count = `${pages} ${pages === 1 ? 'page' : 'pages'}`;
  const found = `${SITE_KIND_NAMES[kind]}${config === null ? '' : ` (${safe(config)})`}, ${count}`;
  return unsure === null ? found : `${found}. ${safe(unsure)} Say it with: docent project update ${id} --site PATH`;
}
