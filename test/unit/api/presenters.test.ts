import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pageOf, readIdCursor, readTimeCursor, timeCursorOf } from '../../../src/api/presenters/cursor.ts';
import { presentJob } from '../../../src/api/presenters/job.ts';
import { presentDeliveryData } from '../../../src/api/presenters/webhook.ts';
import { repositoryUrl } from '../../../src/store/projects/projects.ts';
import type { JobRow } from '../../../src/store/jobs/jobs.ts';
import { anyCharacter } from '../../support/any-character.ts';

const row = {
  id: 'j1',
  projectId: 'p',
  status: 'completed',
  model: 'builtin',
  repositoryUrl: 'file:///srv/docs',
  baseRef: 'main',
  branch: null,
  pendingChanges: null,
  prLink: 'http://x/pull-requests/y',
  title: 't',
  options: {},
  metadata: {},
  createdBy: null,
  createdByName: null,
  summary: null,
  errorCode: null,
  errorMessage: null,
  createdAt: new Date('2025-01-01T00:00:00.123Z'),
  updatedAt: new Date('2025-01-02T00:00:00Z'),
  archivedAt: null,
} as JobRow;

/** It does not wait, and has no pull request. */
const NO_CONTEXT = { queue: null, pullRequest: null };

describe('a job', () => {
  test('shows no pull request while it is active', () => {
    expect(presentJob(row, NO_CONTEXT).prLink).toBe('http://x/pull-requests/y');
    expect(presentJob({ ...row, status: 'active' }, NO_CONTEXT).prLink).toBeNull();
  });

  test('shows the agent’s branch once there is one', () => {
    expect(presentJob(row, NO_CONTEXT).source.ref).toBe('main');
    expect(presentJob({ ...row, branch: 'docent/j1' }, NO_CONTEXT).source.ref).toBe('docent/j1');
  });

  test('has every field even when most have no value', () => {
    expect(presentJob(row, NO_CONTEXT)).toMatchObject({ archivedAt: null, error: null, summary: null });
    expect(presentJob(row, NO_CONTEXT).createdAt).toBe('2025-01-01T00:00:00.123Z');
  });
});

const titleIn = (job: JobRow) => presentDeliveryData({ projectId: 'p', job }, { urlOf: (path) => path }).job?.title;

describe('a message of a webhook', () => {
  test('has the title that the client gave, and never the prompt’s first line', () => {
    expect(titleIn(row)).toBe('Job j1');
    expect(titleIn({ ...row, title: 'Release notes', options: { title: 'Release notes' } })).toBe('Release notes');
  });
});

describe('a local repository’s URL', () => {
  test.each([
    ['/srv/git/docs', 'file:///srv/git/docs'],
    ['/srv/my docs/a#b?c%', 'file:///srv/my%20docs/a%23b%3Fc%25'],
  ])('%s is %s', (repository, url) => {
    expect(repositoryUrl({ host: 'local', repository })).toBe(url);
  });

  test('of another host is the URL that it has', () => {
    expect(repositoryUrl({ host: 'github', repository: 'https://github.com/a/b' })).toBe('https://github.com/a/b');
  });
});

describe('cursors', () => {
  test('lead back to the row that they were made of', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date(0), max: new Date('5000-01-01'), noInvalidDate: true }),
        fc.stringMatching(/^[0-9a-z_-]{1,64}$/),
        (createdAt, id) => {
          const { nextCursor } = pageOf([{ createdAt, id }, null], 1, () => timeCursorOf({ createdAt, id }));
          expect(readTimeCursor(nextCursor ?? '')).toEqual({ createdAt, id });
        },
      ),
    );
  });

  test('are refused when no one gave them out', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        const encoded = Buffer.from(text).toString('base64url');
        fc.pre(!/^\d+\.[\w-]+$/.test(text) && !/^[a-z0-9][a-z0-9-]*$/.test(text));
        expect(() => readTimeCursor(encoded)).toThrow('`cursor`');
        expect(() => readIdCursor(encoded)).toThrow('`cursor`');
      }),
    );
    // A time that Postgres could not read.
    expect(() => readTimeCursor(Buffer.from('999999999999999.x').toString('base64url'))).toThrow('`cursor`');
  });

  test('are not given on the last page', () => {
    const rows = ['a', 'b', 'c'];
    expect(pageOf(rows, 3, String)).toEqual({ rows, nextCursor: null });
    expect(pageOf(rows, 2, String)).toMatchObject({ rows: ['a', 'b'], nextCursor: expect.any(String) });
    expect(pageOf([], 2, String)).toEqual({ rows: [], nextCursor: null });
  });
});
