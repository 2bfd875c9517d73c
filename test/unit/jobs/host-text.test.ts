import { readRequest } from '@docent/recipes/read-request';
import { expect, test } from 'vitest';
import { isMentioned, messageFor, hostTextIn, withoutAddress } from '../../../src/jobs/host-text.ts';

test.for([
  ['@docent Add a table.', 'Add a table.'],
  ['@Docent, add a table', 'add a table'],
  ['Thanks!\n  @docent: shorten it', 'Thanks!\n  shorten it'],
  ['Thanks @docent, now sort it', 'Thanks @docent, now sort it'],
  ['Write:\n```\n@docent go\n```\n@docent so', 'Write:\n```\n@docent go\n```\nso'],
  ['> @docent go\n\n@docent Why?', '> @docent go\n\nWhy?'],
  ['@docent-bot @docent go', '@docent-bot @docent go'],
  ['@docent', '@docent'],
  ['@docent\nAdd a table.', '\nAdd a table.'],
])('the name at the beginning of a line is no part of the request: %j', ([text = '', request]) => {
  expect(withoutAddress(text, 'docent')).toBe(request);
});

test('the built-in editor understands a comment that addresses Docent by name', () => {
  const body = '@docs.helper Append a section "Next" with text "Read on." to the page guides/start';
  expect(isMentioned(body, 'docs.helper')).toBe(true);
  const said = hostTextIn({
    kind: 'comment',
    repository: { id: '1', path: 'acme/docs' },
    at: null,
    on: { type: 'issue', number: 1 },
    comment: { id: '1', author: { id: '2', login: 'ada' }, body, url: '', discussionId: null },
  });
  const { instructions, notUnderstood } = readRequest(messageFor(said!, withoutAddress(body, 'docs.helper')));
  expect([instructions.length, notUnderstood]).toEqual([1, []]);
});
