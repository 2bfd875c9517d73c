import { readFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import type { components } from '@docent/client';
import { Command, Option } from 'commander';
import {
  AUTOMATION_TEMPLATE_NAMES,
  AUTOMATION_TEMPLATES,
  type AutomationTemplateName,
} from '@docent/recipes/automation-templates';
import { messageOf } from '@docent/base/thrown';
import { answerOf } from '@docent/base/terminal/api-answer';
import { CliFailure, EXIT } from '@docent/base/terminal/failures';
import { fields, inUtc, print, safe, tableOr } from '@docent/base/terminal/terminal-text';
import { confirm, YES } from '@docent/base/terminal/confirm';
import { occurrences } from '../../jobs/schedule-trigger.ts';
import { summaryLine } from '../../jobs/trigger-text.ts';
import { EXIT_CODES, finish } from '@docent/cli/commands/job';
import { assertChange, textOrInput, wholeNumber } from '@docent/cli/parsing';
import { withWebhookSecretName } from '@docent/cli/webhook-options';
import { bodyOf, budgetText, labelsOf, withNewJobOptions, type NewJobOptions } from '@docent/cli/commands/job-options';
import { startOf, withStartOptions, type StartOptions } from './automation-start.ts';
import { apply, plan } from './automation-plan.ts';
import { targetFlags, targetOf, withProject, type Server } from '@docent/cli/server';
import { RUN_STATUSES } from '../../config/automation-values.ts';

type Automation = components['schemas']['Automation'];
type Change = components['schemas']['AutomationChange'];
type NewAutomation = components['schemas']['NewAutomation'];
type Run = components['schemas']['AutomationRun'];

interface Options {
  json?: boolean;
  yes?: boolean;
}

interface TriggerOptions extends Options {
  about?: string;
  aboutFile?: string;
  once?: string;
  wait?: boolean;
}

interface ChangeOptions extends Options, NewJobOptions, StartOptions {
  name?: string;
  prompt?: string;
  enable?: boolean;
  disable?: boolean;
  clear?: (typeof CLEARABLE)[number][];
}

const CLEARABLE = [
  'ref',
  'branch',
  'model',
  'effort',
  'draft',
  'title',
  'budget',
  'metadata',
  'webhook',
  'instructions',
  'trigger',
  'max-runs-per-day',
  'cooldown',
] as const;
/** Fields of the API that `--clear` names in another way. */
const CLEARED: Readonly<Record<string, object>> = {
  trigger: { trigger: { type: 'api' } },
  'max-runs-per-day': { maxRunsPerDay: null },
  cooldown: { cooldownMinutes: null },
};
const BRANCH = 'branch of each job; {run} is replaced with the run number (default: <branch prefix>/<job id>)';

/** Characters of a run's summary in the list. */
const MAX_SUMMARY = 120;

/** `docent automation …` */
export function automationCommand(): Command {
  const automation = new Command('automation').description(
    'manage prompts that run on a schedule, on webhook deliveries or on demand',
  );
  withStartOptions(withAutomationOptions(withProject(automation.command('create <name> <prompt>')), BRANCH))
    .description('create an automation from a prompt and job options (prompt "-" is read from standard input)')
    .option('--id <id>', 'your own ID, for example that of a Mintlify workflow (default: a new ID)')
    .option('--disabled', 'create it disabled')
    .addHelpText(
      'after',
      `
Examples:
  $ docent automation create 'Broken links' 'Fix the broken links.' --id links --project handbook
  $ docent automation create Style 'Fix the style.' --cron '0 9 * * 1' --timezone Europe/Berlin --project handbook
  $ docent automation create Release 'Update the docs.' --on-webhook --filter "action == 'published'" --project handbook
  $ docent automation create Changelog - --id changelog --branch 'docs/changelog-{run}' --draft < changelog.txt`,
    )
    .action(create);
  withStartOptions(withAutomationOptions(withProject(automation.command('add')), BRANCH))
    .description('create an automation from a template')
    .addOption(
      new Option('--template <template>', 'its prompt and trigger')
        .choices(AUTOMATION_TEMPLATE_NAMES)
        .makeOptionMandatory(),
    )
    .option('--name <name>', 'its name (default: the name of the template)')
    .option('--id <id>', 'your own ID (default: the template)')
    .option('--disabled', 'create it disabled')
    .action(add);
  withProject(automation.command('plan'))
    .description('compare automations with .docent/automations/*.yaml on the base branch')
    .action(plan);
  withProject(automation.command('apply'))
    .description('make automations match .docent/automations/*.yaml on the base branch')
    .option(...YES)
    .action(apply);
  withProject(automation.command('list')).description("list the project's automations, newest first").action(list);
  withProject(automation.command('show <automation>')).description('show an automation by ID or name').action(show);
  withStartOptions(withAutomationOptions(withProject(automation.command('update <automation>')), BRANCH))
    .description('change the given settings of an automation')
    .option('--name <name>', 'new name')
    .option('--prompt <prompt>', 'new prompt ("-" is read from standard input)')
    .option('--enable', 'enable it')
    .addOption(new Option('--disable', 'disable it: triggers are rejected').conflicts('enable'))
    .option('--fold', 'continue the open pull request of an earlier run')
    .addOption(new Option('--clear <options...>', 'reset these to the project’s settings').choices(CLEARABLE))
    .action(update);
  withProject(automation.command('delete <automation>'))
    .description('delete an automation; its jobs are kept')
    .option(...YES)
    .action(remove);
  withProject(automation.command('runs <automation>'))
    .description('list an automation’s runs, including skipped ones with the reason, newest first')
    .addOption(new Option('--status <status>', 'only runs with this status').choices(RUN_STATUSES))
    .option('--limit <number>', 'maximum number of runs to list', wholeNumber(1, 100), 20)
    .action(runs);
  withProject(automation.command('secret <automation>'))
    .description('create the secret for deliveries to an automation; it replaces the previous one')
    .action(secret);
  withProject(automation.command('trigger <automation>'))
    .description('start a run, show its progress, and print its pull request')
    .option('--about <text>', 'context of this run for the agent')
    .addOption(
      new Option('--about-file <file>', 'read the context from a file ("-" is standard input)').conflicts('about'),
    )
    .option(
      '--once <key>',
      'start no second job with this key within 24 hours; for example a commit, a release or a day',
    )
    .option('--no-wait', 'print the job and return immediately')
    .addHelpText(
      'after',
      `${EXIT_CODES}

Examples:
  $ docent automation trigger links --project handbook --no-wait
  $ docent automation trigger changelog --about-file release-notes.md --once v2.4.0`,
    )
    .action(trigger);
  return automation;
}

/** Options of each job of an automation. */
function withAutomationOptions(command: Command, branch?: string): Command {
  return withWebhookSecretName(withNewJobOptions(command, branch));
}

/** Named by its id or, if none has that id, by its name. */
async function at(given: string, command: Command) {
  const { server, projectId } = targetOf(command);
  const all = await allOf(server, projectId);
  const found =
    all.find(({ id }) => id === given) ?? all.find(({ name }) => name.toLowerCase() === given.toLowerCase());
  return { server, path: { projectId, automationId: found?.id ?? given } };
}

/** A project has at most one page of them. */
async function allOf({ client, url }: Server, projectId: string): Promise<Automation[]> {
  const params = { path: { projectId }, query: { limit: 100 } };
  return (await answerOf(url, client.GET('/v1/projects/{projectId}/automations', { params }))).automations;
}

async function create(name: string, prompt: string, options: NewOptions, command: Command): Promise<void> {
  await createFrom({ name, prompt: await textOrInput(prompt) }, options, command);
}

/** @param what.trigger if the options name none */
async function createFrom(
  what: Pick<NewAutomation, 'name' | 'prompt' | 'trigger'>,
  options: NewOptions,
  command: Command,
): Promise<void> {
  const { server, projectId } = targetOf(command);
  const { id, disabled } = options;
  const start = startOf(options, options.fold === false ? false : undefined) as Partial<NewAutomation>;
  const body = {
    ...bodyOf(options),
    id,
    ...what,
    enabled: disabled !== true,
    ...start,
    trigger: start.trigger ?? what.trigger,
  };
  const params = { path: { projectId }, header: { 'Idempotency-Key': randomUUID() } };
  const request = server.client.POST('/v1/projects/{projectId}/automations', { params, body });
  const created = await answerOf(server.url, request);
  const flags = targetFlags(server, projectId);
  print(
    options.json,
    created,
    () => `${shown(created)}${afterCreation(created, flags)}\nTry it: docent automation trigger ${created.id}${flags}`,
  );
}

type NewOptions = Options & NewJobOptions & StartOptions & { id?: string; disabled?: boolean };

async function add(
  { template, name, ...options }: NewOptions & { template: AutomationTemplateName; name?: string },
  command: Command,
): Promise<void> {
  const found = AUTOMATION_TEMPLATES[template];
  await createFrom(
    { name: name ?? found.name, prompt: found.prompt, trigger: found.trigger },
    { id: template, ...options },
    command,
  );
}

async function list({ json }: Options, command: Command): Promise<void> {
  const { server, projectId } = targetOf(command);
  const automations = await allOf(server, projectId);
  print(json, automations, () =>
    tableOr(
      "No automations yet. Create one: docent automation create NAME 'PROMPT' --project ID",
      ['ID', 'STATE', 'RUNS', 'LAST', 'NAME'],
      automations.map(({ id, enabled, pausedReason, runs: count, lastTriggeredAt, name }) => [
        id,
        pausedReason !== null && enabled ? 'paused' : enabled ? 'on' : 'off',
        String(count),
        lastTriggeredAt === null ? '–' : inUtc(lastTriggeredAt),
        name,
      ]),
    ),
  );
}

async function show(id: string, { json }: Options, command: Command): Promise<void> {
  const { server, path } = await at(id, command);
  const request = server.client.GET('/v1/projects/{projectId}/automations/{automationId}', { params: { path } });
  const found = await answerOf(server.url, request);
  print(json, found, () => shown(found));
}

async function update(id: string, options: ChangeOptions, command: Command): Promise<void> {
  const { server, path } = await at(id, command);
  const { name, prompt, enable, disable, clear = [] } = options;
  const body: Change = {
    ...bodyOf(options),
    ...startOf(options, commandSaysFold(command) ? options.fold : undefined),
    ...Object.assign({}, ...clear.map((option) => CLEARED[option] ?? { [option]: null })),
    name,
    prompt: prompt === undefined ? undefined : await textOrInput(prompt),
    enabled: enable || (disable ? false : undefined),
  };
  assertChange(body, 'Specify what to change. Run with --help for the options.');
  const request = server.client.PATCH('/v1/projects/{projectId}/automations/{automationId}', {
    params: { path },
    body,
  });
  const changed = await answerOf(server.url, request);
  print(options.json, changed, () => shown(changed));
}

/** Whether `--fold` or `--no-fold` was given: commander sets a default for the latter. */
function commandSaysFold(command: Command): boolean {
  return command.getOptionValueSource('fold') === 'cli';
}

/** A delivery needs a secret, which is shown once, on request. */
function afterCreation({ id, trigger }: Automation, flags: string): string {
  return trigger.type === 'webhook' ? `\nCreate its secret: docent automation secret ${id}${flags}` : '';
}

async function runs(
  id: string,
  { json, status, limit }: Options & { status?: Run['status']; limit: number },
  command: Command,
): Promise<void> {
  const { server, path } = await at(id, command);
  const params = { path, query: { limit, status } };
  const request = server.client.GET('/v1/projects/{projectId}/automations/{automationId}/runs', { params });
  const { runs: found } = await answerOf(server.url, request);
  print(json, found, () =>
    tableOr(
      'No runs yet.',
      ['RUN', 'STATUS', 'CREATED', 'CAUSE', 'EVENTS', 'JOB', 'SUMMARY'],
      found.map((run) => [
        run.number === null ? '–' : String(run.number),
        run.skippedBecause === null ? run.status : `skipped: ${run.skippedBecause}`,
        inUtc(run.createdAt),
        [run.cause.type, run.cause.actor].filter((word) => word !== null).join(' '),
        String(run.events),
        run.jobId ?? '–',
        summaryLine(run.summary ?? '', MAX_SUMMARY),
      ]),
    ),
  );
}

async function secret(id: string, { json }: Options, command: Command): Promise<void> {
  const { server, path } = await at(id, command);
  const request = server.client.POST('/v1/projects/{projectId}/automations/{automationId}/secret', {
    params: { path },
  });
  const created = await answerOf(server.url, request);
  print(json, created, () => `${fields({ url: created.url, secret: created.secret })}\nThe secret is not shown again.`);
}

async function remove(id: string, options: Options, command: Command): Promise<void> {
  const { server, path } = await at(id, command);
  await confirm(`This deletes the automation ${path.automationId} at ${server.url}.`, options);
  const request = server.client.DELETE('/v1/projects/{projectId}/automations/{automationId}', { params: { path } });
  await answerOf(server.url, request);
  print(options.json, { id: path.automationId, removed: true }, () => `Removed ${safe(path.automationId)}.`);
}

async function trigger(id: string, options: TriggerOptions, command: Command): Promise<void> {
  const { server, path } = await at(id, command);
  const context = await contextOf(options);
  const request = server.client.POST('/v1/projects/{projectId}/automations/{automationId}/trigger', {
    params: { path, header: { 'Idempotency-Key': options.once ?? randomUUID() } },
    body: { context },
  });
  const job = await answerOf(server.url, request);
  await finish(server, { projectId: path.projectId, id: job.id }, job, 0, options);
}

/** @throws CliFailure for a file that cannot be read */
async function contextOf({ about, aboutFile }: TriggerOptions): Promise<string | undefined> {
  if (aboutFile === undefined || aboutFile === '-') return aboutFile === '-' ? textOrInput('-') : about;
  try {
    return await readFile(aboutFile, 'utf8');
  } catch (err) {
    throw new CliFailure(`The context file cannot be read: ${messageOf(err)}`, EXIT.usage);
  }
}

function stateOf({ enabled, pausedReason }: Automation): string {
  if (!enabled) return 'off';
  return pausedReason === null ? 'on' : `paused: ${pausedReason}`;
}

/** For an enabled schedule. */
function nextRunOf({ enabled, pausedReason, trigger }: Automation): Record<string, string> {
  if (trigger.type !== 'schedule' || !enabled || pausedReason !== null) return {};
  const next = occurrences({ timezone: 'UTC', ...trigger }, new Date()).next().value;
  if (!next) return {};
  const jitter = trigger.jitterMinutes ?? 0;
  return { 'next run': `${inUtc(next.toISOString())}${jitter > 0 ? `, up to ${jitter} min later` : ''}` };
}

function shown(automation: Automation): string {
  const { mode, ref, branch, model, effort, draft, title, budget, webhook } = automation;
  return fields({
    id: automation.id,
    name: automation.name,
    state: stateOf(automation),
    starts: automation.triggerText,
    ...(automation.file === null ? {} : { file: automation.file }),
    ...nextRunOf(automation),
    prompt: automation.prompt,
    ...(mode === 'pull-request' ? {} : { mode }),
    ...(ref === null ? {} : { base: ref }),
    ...(branch === null ? {} : { branch }),
    ...(model === null ? {} : { model }),
    ...(effort === null ? {} : { effort }),
    ...(draft === null ? {} : { draft: draft ? 'yes' : 'no' }),
    ...(title === null ? {} : { title }),
    ...(budget === null ? {} : { budget: budgetText(budget) }),
    ...labelsOf(automation),
    ...(webhook === null
      ? {}
      : {
          webhook: `${webhook.url} (${webhook.events.join(', ')})${webhook.secretName ? `, signed with ${webhook.secretName}` : ''}`,
        }),
    runs: String(automation.runs),
    ...(automation.lastTriggeredAt === null ? {} : { 'last run': inUtc(automation.lastTriggeredAt) }),
    ...(automation.lastJobId === null ? {} : { 'last job': automation.lastJobId }),
    created: inUtc(automation.createdAt),
    changed: inUtc(automation.updatedAt),
  });
}
