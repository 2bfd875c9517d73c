import { randomUUID } from 'node:crypto';
import { constants, createWriteStream, openAsBlob } from 'node:fs';
import { access } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { components } from '@docent/client';
import { Command } from 'commander';
import { messageOf } from '@docent/base/thrown';
import { allPages } from '../all-pages.ts';
import { answerOf } from '@docent/base/terminal/api-answer';
import { CliFailure, EXIT } from '@docent/base/terminal/failures';
import { fields, inUtc, print, tableOr } from '@docent/base/terminal/terminal-text';
import { confirm, YES } from '@docent/base/terminal/confirm';
import { wholeNumber } from '../parsing.ts';
import { targetOf, withProject, type Server } from '../server.ts';

type Attachment = components['schemas']['Attachment'];

interface Options {
  json?: boolean;
}

/** `docent attachment …` */
export function attachmentCommand(): Command {
  const attachment = new Command('attachment').description('manage images and text files for jobs');
  withProject(attachment.command('upload <files...>'))
    .description('upload files; pass their IDs when you create a job, or use docent job run --attach')
    .addHelpText(
      'after',
      `
Images: PNG, JPEG, GIF or WebP, at most 10 MB. Text: UTF-8, at most 1 MB.
Attachments that no job uses are deleted after 24 hours.

Example:
  $ docent attachment upload screenshot.png`,
    )
    .action(upload);
  withProject(attachment.command('list'))
    .description('list the attachments of a project, newest first')
    .option('--limit <number>', 'maximum number of attachments to list', wholeNumber(1, 10_000), 20)
    .action(list);
  withProject(attachment.command('show <attachmentId>'))
    .description('show an attachment')
    .option('--output <file>', 'save its content to this file, which must not exist')
    .action(show);
  withProject(attachment.command('delete <attachmentId>'))
    .description('delete an attachment that no job uses')
    .option(...YES)
    .action(remove);
  return attachment;
}

/** Uploads files, one after the other. @throws CliFailure for one that cannot be read */
export async function uploadFiles(
  { client, url }: Server,
  projectId: string,
  files: readonly string[],
): Promise<Attachment[]> {
  const uploaded: Attachment[] = [];
  for (const file of files) {
    const blob = await opened(file);
    const request = client.POST('/v2/agent/{projectId}/attachments', {
      params: {
        path: { projectId },
        query: { filename: basename(file) },
        header: { 'Idempotency-Key': randomUUID() },
      },
      headers: { 'Content-Type': 'application/octet-stream' },
      // The generated type of bytes is text.
      body: '',
      bodySerializer: () => blob,
    });
    uploaded.push(await answerOf(url, request));
  }
  return uploaded;
}

/** A file that is read as it is sent. @throws CliFailure */
async function opened(file: string): Promise<Blob> {
  try {
    await access(file, constants.R_OK);
    return await openAsBlob(file);
  } catch (err) {
    throw new CliFailure(`${file} cannot be read: ${messageOf(err)}`, EXIT.usage);
  }
}

async function upload(files: string[], options: Options, command: Command): Promise<void> {
  const { server, projectId } = targetOf(command);
  const uploaded = await uploadFiles(server, projectId, files);
  print(options.json, uploaded, () => table(uploaded));
}

async function list(options: Options & { limit: number }, command: Command): Promise<void> {
  const { server, projectId } = targetOf(command);
  const attachments = await allPages(async (query) => {
    const params = { path: { projectId }, query };
    const page = await answerOf(server.url, server.client.GET('/v2/agent/{projectId}/attachments', { params }));
    return { items: page.attachments, next: page.nextCursor };
  }, options.limit);
  print(options.json, attachments, () => table(attachments));
}

function table(attachments: readonly Attachment[]): string {
  return tableOr(
    'No attachments yet. Upload one: docent attachment upload FILE',
    ['ID', 'NAME', 'TYPE', 'BYTES', 'EXPIRES'],
    attachments.map(({ id, name, mediaType, bytes, expiresAt }) => [
      id,
      name,
      mediaType,
      String(bytes),
      expiresAt === null ? 'with its job' : inUtc(expiresAt),
    ]),
  );
}

async function show(attachmentId: string, options: Options & { output?: string }, command: Command): Promise<void> {
  const { server, projectId } = targetOf(command);
  const params = { path: { projectId, attachmentId } };
  const found = await answerOf(
    server.url,
    server.client.GET('/v2/agent/{projectId}/attachments/{attachmentId}', { params }),
  );
  if (options.output !== undefined) await save(server, params, options.output);
  print(options.json, found, () => describe(found));
}

async function save(
  { client, url }: Server,
  params: { path: { projectId: string; attachmentId: string } },
  file: string,
): Promise<void> {
  const request = client.GET('/v2/agent/{projectId}/attachments/{attachmentId}/content', { params, parseAs: 'stream' });
  const body = (await answerOf(url, request)) as unknown as ReadableStream<Uint8Array>;
  try {
    await pipeline(
      Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]),
      createWriteStream(file, { flags: 'wx' }),
    );
  } catch (err) {
    throw new CliFailure(`${file} could not be written: ${messageOf(err)}`, EXIT.failed);
  }
}

function describe({ id, name, mediaType, bytes, width, height, sha256, createdAt, expiresAt }: Attachment): string {
  return fields({
    id,
    name,
    type: mediaType,
    bytes: String(bytes),
    ...(width === null || height === null ? {} : { pixels: `${width} × ${height}` }),
    sha256,
    created: inUtc(createdAt),
    expires: expiresAt === null ? 'with its job' : inUtc(expiresAt),
  });
}

async function remove(attachmentId: string, options: Options & { yes?: boolean }, command: Command): Promise<void> {
  const { server, projectId } = targetOf(command);
  await confirm(
    `This deletes the attachment ${attachmentId} of ${projectId} from ${server.url}. This cannot be undone.`,
    options,
  );
  const params = { path: { projectId, attachmentId } };
  await answerOf(server.url, server.client.DELETE('/v2/agent/{projectId}/attachments/{attachmentId}', { params }));
  print(options.json, { id: attachmentId, deleted: true }, () => `Removed ${attachmentId}.`);
}
