import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createDocentClient, type components } from '../../packages/client/src/index.ts';
import type { Installation } from './installation.ts';

type NewJob = components['schemas']['NewJob'];

/** A job of a mode. */
export async function postIn(docent: Installation, mode: NonNullable<NewJob['mode']>, prompt: string): Promise<string> {
  const { data, error } = await docent.client.POST('/v2/agent/{projectId}/job', {
    params: { path: { projectId: docent.projectId } },
    body: { prompt, mode },
  });
  if (!data) throw new Error(`The job was refused: ${JSON.stringify(error)}`);
  return data.id;
}

const pathOf = (docent: Installation, id: string) => ({ path: { projectId: docent.projectId, id } });

/** @param baseUrl another API process */
export async function publish(
  docent: Installation,
  id: string,
  body?: components['schemas']['Publish'],
  key?: string,
  baseUrl = docent.apiUrl,
) {
  const header = key === undefined ? {} : { header: { 'Idempotency-Key': key } };
  return createDocentClient({ baseUrl, apiKey: docent.operatorToken }).POST('/v2/agent/{projectId}/job/{id}/publish', {
    params: { ...pathOf(docent, id), ...header },
    ...(body ? { body } : {}),
  });
}

export async function discard(docent: Installation, id: string) {
  return docent.client.POST('/v2/agent/{projectId}/job/{id}/discard', { params: pathOf(docent, id) });
}

export async function diffOf(docent: Installation, id: string) {
  const { data } = await docent.client.GET('/v2/agent/{projectId}/job/{id}/diff', { params: pathOf(docent, id) });
  if (!data) throw new Error('There is no diff.');
  return data;
}

/** The change as one patch. */
export async function patchOf(docent: Installation, id: string): Promise<string> {
  const url = `${docent.apiUrl}/v2/agent/${docent.projectId}/job/${id}/diff`;
  const headers = { authorization: `Bearer ${docent.operatorToken}`, accept: 'text/x-diff' };
  const response = await fetch(url, { headers });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response.text();
}

export async function checksOf(docent: Installation, id: string) {
  const { data } = await docent.client.GET('/v2/agent/{projectId}/job/{id}/checks', { params: pathOf(docent, id) });
  if (!data) throw new Error('There are no checks.');
  return data.checks;
}

export async function eventsOf(docent: Installation, id: string): Promise<string> {
  const { data } = await docent.client.GET('/v2/agent/{projectId}/job/{id}/events', {
    params: { ...pathOf(docent, id), query: { limit: 500 } },
  });
  return (data?.events ?? []).map(({ type, text }) => `${type}: ${text}`).join('\n');
}

function git(...args: string[]): void {
  const person = ['-c', 'user.name=A Person', '-c', 'user.email=person@example.org'];
  execFileSync('git', [...person, ...args], { stdio: 'pipe' });
}

/** A commit of a person on the base branch. */
export function commitOnMain(docent: Installation, file: string, content: string): void {
  const work = `${docent.folder}/person-${randomUUID()}`;
  git('clone', '-q', docent.repository, work);
  writeFileSync(`${work}/${file}`, content);
  git('-C', work, 'commit', '-qam', `Change ${file}`);
  git('-C', work, 'push', '-q', 'origin', 'main');
}
