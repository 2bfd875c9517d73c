import { WEBHOOK_EVENTS, type components } from '@docent/client';
import { Command, Option } from 'commander';
import { answerOf } from '@docent/base/terminal/api-answer';
import { EXIT } from '@docent/base/terminal/failures';
import { fields, print, safe, tableOr, inUtc } from '@docent/base/terminal/terminal-text';
import { confirm, YES } from '@docent/base/terminal/confirm';
import { targetFlags, targetOf, withProject } from '../server.ts';
import { eventOption } from '../webhook-options.ts';

type Webhook = components['schemas']['Webhook'];
type Delivery = components['schemas']['WebhookDelivery'];
type Details = components['schemas']['WebhookDeliveryDetails'];

const STATES = ['pending', 'delivered', 'failed'] as const;

interface Options {
  json?: boolean;
  yes?: boolean;
}

/** `docent webhook …` */
export function webhookCommand(): Command {
  const webhook = new Command('webhook').description('manage webhooks: notify your systems about events in a project');
  withProject(webhook.command('add <url>'))
    .description('add a webhook; its signing secret is shown only once')
    .addOption(eventOption('--event <type>', 'event to send; can be repeated (default: all)'))
    .option('--description <text>', 'purpose of the webhook')
    .addHelpText(
      'after',
      `
Examples:
  $ docent webhook add https://example.com/hooks/docent --project handbook
  $ docent webhook add https://example.com/hooks/docent --project handbook --event job.completed --event job.failed`,
    )
    .action(add);
  withProject(webhook.command('list')).description("list the project's webhooks").action(list);
  withProject(webhook.command('show <webhook>')).description('show a webhook').action(show);
  withProject(webhook.command('enable <webhook>')).description('enable a webhook').action(switchTo(true));
  withProject(webhook.command('disable <webhook>')).description('disable a webhook').action(switchTo(false));
  withProject(webhook.command('test <webhook>'))
    .description('send a ping now and show the response; exit code 1 if it was not accepted')
    .action(test);
  withProject(webhook.command('rotate <webhook>'))
    .description('replace the secret; for 24 hours messages are signed with both secrets')
    .action(rotate);
  withProject(webhook.command('remove <webhook>'))
    .description('delete a webhook and its deliveries')
    .option(...YES)
    .action(remove);
  withProject(webhook.command('deliveries <webhook>'))
    .description('list the newest 100 deliveries of the last 30 days')
    .addOption(new Option('--state <state>', 'only deliveries in this state').choices(STATES))
    .action(deliveries);
  withProject(webhook.command('delivery <webhook> <delivery>'))
    .description('show a delivery with every attempt and response')
    .action(delivery);
  withProject(webhook.command('redeliver <webhook> <delivery>'))
    .description('send a delivery again with the same ID')
    .action(redeliver);
  return webhook;
}

function at(webhookId: string, command: Command) {
  const { server, projectId } = targetOf(command);
  return { server, path: { projectId, webhookId } };
}

async function add(
  url: string,
  options: Options & { event?: components['schemas']['WebhookEvent'][]; description?: string },
  command: Command,
): Promise<void> {
  const { server, projectId } = targetOf(command);
  const body = { url, events: options.event, description: options.description };
  const request = server.client.POST('/v1/projects/{projectId}/webhooks', { params: { path: { projectId } }, body });
  const created = await answerOf(server.url, request);
  const next = `docent webhook test ${created.id}${targetFlags(server, projectId)}`;
  print(options.json, created, () => `${shownWithSecret(created)}\nTry it: ${next}`);
}

function shownWithSecret(created: components['schemas']['CreatedWebhook']): string {
  return `${fields({ secret: created.secret ?? '', ...shown(created) })}\nSave the secret now. It is not shown again.`;
}

function shown(webhook: Webhook): Record<string, string> {
  return {
    id: webhook.id,
    url: webhook.url,
    ...(webhook.description === '' ? {} : { description: webhook.description }),
    events: webhook.events.join(', '),
    state: stateOf(webhook),
    ...(webhook.failingSince === null ? {} : { 'failing since': webhook.failingSince }),
    ...(webhook.previousSecretUntil === null ? {} : { 'old secret until': webhook.previousSecretUntil }),
    created: inUtc(webhook.createdAt),
  };
}

function stateOf({ enabled, disabledReason }: Webhook): string {
  if (enabled) return 'on';
  return disabledReason === null ? 'off' : `off: ${disabledReason}`;
}

async function list({ json }: Options, command: Command): Promise<void> {
  const { server, projectId } = targetOf(command);
  const request = server.client.GET('/v1/projects/{projectId}/webhooks', { params: { path: { projectId } } });
  const { webhooks } = await answerOf(server.url, request);
  print(json, webhooks, () =>
    tableOr(
      'No webhooks yet. Add one: docent webhook add URL --project ID',
      ['ID', 'URL', 'STATE', 'EVENTS'],
      webhooks.map((webhook) => [
        webhook.id,
        webhook.url,
        webhook.enabled && webhook.failingSince !== null ? 'on, failing' : webhook.enabled ? 'on' : 'off',
        webhook.events.length === WEBHOOK_EVENTS.length ? 'all' : webhook.events.join(','),
      ]),
    ),
  );
}

async function show(id: string, { json }: Options, command: Command): Promise<void> {
  const { server, path } = at(id, command);
  const request = server.client.GET('/v1/projects/{projectId}/webhooks/{webhookId}', { params: { path } });
  const found = await answerOf(server.url, request);
  print(json, found, () => fields(shown(found)));
}

function switchTo(enabled: boolean) {
  return async (id: string, { json }: Options, command: Command): Promise<void> => {
    const { server, path } = at(id, command);
    const request = server.client.PATCH('/v1/projects/{projectId}/webhooks/{webhookId}', {
      params: { path },
      body: { enabled },
    });
    const changed = await answerOf(server.url, request);
    print(json, changed, () => `Webhook ${changed.id} is ${enabled ? 'enabled' : 'disabled'}.`);
  };
}

async function test(id: string, { json }: Options, command: Command): Promise<void> {
  const { server, path } = at(id, command);
  const request = server.client.POST('/v1/projects/{projectId}/webhooks/{webhookId}/test', { params: { path } });
  const sent = await answerOf(server.url, request);
  print(json, sent, () => describe(sent));
  if (sent.state !== 'delivered') process.exitCode = EXIT.failed;
}

async function rotate(id: string, { json }: Options, command: Command): Promise<void> {
  const { server, path } = at(id, command);
  const request = server.client.POST('/v1/projects/{projectId}/webhooks/{webhookId}/rotate', { params: { path } });
  const rotated = await answerOf(server.url, request);
  print(json, rotated, () => shownWithSecret(rotated));
}

async function remove(id: string, options: Options, command: Command): Promise<void> {
  const { server, path } = at(id, command);
  await confirm(`This deletes the webhook ${id} and its deliveries at ${server.url}.`, options);
  const request = server.client.DELETE('/v1/projects/{projectId}/webhooks/{webhookId}', { params: { path } });
  await answerOf(server.url, request);
  print(options.json, { id, removed: true }, () => `Removed ${safe(id)}.`);
}

async function deliveries(
  id: string,
  { json, state }: Options & { state?: Delivery['state'] },
  command: Command,
): Promise<void> {
  const { server, path } = at(id, command);
  const params = { path, query: { limit: 100, ...(state ? { state } : {}) } };
  const request = server.client.GET('/v1/projects/{projectId}/webhooks/{webhookId}/deliveries', { params });
  const page = await answerOf(server.url, request);
  print(json, page.deliveries, () =>
    tableOr(
      state ? `No ${state} deliveries.` : 'No deliveries yet. Send a ping: docent webhook test ID',
      ['ID', 'TYPE', 'STATE', 'ATTEMPTS', 'STATUS', 'CREATED', 'NEXT'],
      page.deliveries.map((one) => [
        one.id,
        one.type,
        one.state,
        String(one.attempts),
        one.lastStatus === null ? '-' : String(one.lastStatus),
        one.createdAt,
        one.nextAttemptAt ?? '-',
      ]),
    ),
  );
}

async function delivery(id: string, deliveryId: string, { json }: Options, command: Command): Promise<void> {
  const { server, path } = at(id, command);
  const route = '/v1/projects/{projectId}/webhooks/{webhookId}/deliveries/{deliveryId}';
  const found = await answerOf(server.url, server.client.GET(route, { params: { path: { ...path, deliveryId } } }));
  print(json, found, () => `${describe(found)}\n\n${JSON.stringify(found.payload, null, 2)}`);
}

async function redeliver(id: string, deliveryId: string, { json }: Options, command: Command): Promise<void> {
  const { server, path } = at(id, command);
  const route = '/v1/projects/{projectId}/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver';
  const found = await answerOf(server.url, server.client.POST(route, { params: { path: { ...path, deliveryId } } }));
  print(json, found, () => `Sending ${found.id} again.`);
}

function describe(found: Details): string {
  const attempts = found.log.map(({ no, status, ms, problem }) => [
    `attempt ${no}`,
    `${status ?? 'no response'}, ${ms} ms${problem === null ? '' : `: ${problem}`}`,
  ]);
  const answer = found.log.at(-1)?.response;
  return fields({
    id: found.id,
    type: found.type,
    state: found.state,
    ...(found.problem === null ? {} : { problem: found.problem }),
    ...Object.fromEntries(attempts),
    ...(answer ? { answer } : {}),
    ...(found.nextAttemptAt === null ? {} : { 'next attempt': found.nextAttemptAt }),
  });
}
