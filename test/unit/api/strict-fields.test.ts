import { expect, test } from 'vitest';
import { operations } from '../../../src/api/contract/operations.ts';
import { validatorOf } from '../../../src/api/contract/validation.ts';

const bodyOf = (id: string, value: unknown) => {
  const operation = operations.find((each) => each.id === id)!;
  return () => validatorOf(operation).body(value);
};
const HOST = { id: 'github', kind: 'github', credential: { token: 'ghp_x' } };

/** A misspelled address filter that is ignored leaves a key open to everybody. */
test.each([
  [
    'createKey',
    { name: 'CI', projectIds: ['acme'], scopes: ['read'], allowedAddress: ['10.0.0.0/8'] },
    'allowedAddress',
  ],
  ['updateKey', { scopes: ['read'] }, 'scopes'],
  ['rotateKey', { overlapSecond: 60 }, 'overlapSecond'],
  ['createToken', { projectId: 'acme', scopes: ['read'], jobid: 'j1' }, 'jobid'],
  ['createWebhook', { url: 'https://example.com/hook', event: ['job.completed'] }, 'event'],
  ['updateWebhook', { secret: 'whsec_x', enabled: true }, 'secret'],
  ['createHost', { ...HOST, apiURL: 'https://example.com' }, 'apiURL'],
  ['updateHost', { url: 'https://example.com', credential: { token: 'ghp_x' } }, 'url'],
  ['setModelKey', { key: 'sk-x', baseURL: 'https://example.com' }, 'baseURL'],
  ['createJob', { prompt: 'x', webhook: { url: 'https://example.com/hook', secrt: 'whsec_x' } }, 'webhook.secrt'],
  ['createSource', { name: 'server', repository: '/srv/server', path: ['docs'] }, 'path'],
  ['updatePerson', { role: 'viewer', projects: ['acme'] }, 'projects'],
])('%s refuses a field that it does not know or cannot change, and names those it accepts', (id, body, field) => {
  expect(bodyOf(id, body)).toThrow(new RegExp(`\`${field}\` is not accepted here\\. Accepted: \\w+`));
});

test('every other body may have fields that a later version of a client sends', () => {
  expect(bodyOf('createJob', { prompt: 'Fix links', somethingNew: true })()).toMatchObject({ prompt: 'Fix links' });
  expect(bodyOf('sendMessage', { prompt: 'And more', somethingNew: 1 })()).toMatchObject({ prompt: 'And more' });
  expect(bodyOf('createProject', { id: 'acme', repository: '/srv/docs', somethingNew: 1 })()).toBeDefined();
});
