import { WEBHOOK_EVENTS, type components, type WebhookEvent } from '@docent/client';
import { Option, type Command } from 'commander';
import { CliFailure, EXIT } from '@docent/base/terminal/failures';
import { readSecretFile, severalOf } from './parsing.ts';

/** For options that may be repeated; completed by the Tab key. */
export function eventOption(flags: string, about: string): Option {
  return new Option(flags, about).choices(WEBHOOK_EVENTS).argParser(severalOf(WEBHOOK_EVENTS));
}

export interface JobWebhookOptions {
  webhook?: string;
  webhookEvent?: WebhookEvent[];
  webhookSecret?: string;
  /** Of automations only. */
  webhookSecretName?: string;
}

/** Adds the options of a new job's own webhook. */
export function withJobWebhook(command: Command): Command {
  return command
    .option('--webhook <url>', "URL to notify about this job, in addition to the project's webhooks")
    .addOption(eventOption('--webhook-event <type>', 'event to send; can be repeated (default: all)'))
    .option('--webhook-secret <file>', 'file with the signing secret; - for standard input (default: unsigned)');
}

/** Adds the option of an automation's webhook. */
export function withWebhookSecretName(command: Command): Command {
  return command.addOption(
    new Option('--webhook-secret-name <name>', 'secret of the project that signs the messages').conflicts(
      'webhookSecret',
    ),
  );
}

/** The webhook that a job is to bring; undefined for none. @throws CliFailure */
export function jobWebhookOf(options: JobWebhookOptions): components['schemas']['AutomationWebhook'] | undefined {
  const { webhook: url, webhookEvent: events, webhookSecret: file, webhookSecretName: secretName } = options;
  if (url === undefined && (events ?? file ?? secretName) !== undefined)
    throw new CliFailure('Specify the URL with --webhook URL.', EXIT.usage);
  if (url === undefined) return undefined;
  return {
    url,
    events,
    secret: file === undefined ? undefined : readSecretFile('webhook secret', file),
    secretName,
  };
}
