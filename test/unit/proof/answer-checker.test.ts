import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { checkAnswers } from '../../faults/proof/checker/contract.ts';
import type { LedgerAnswer } from '../../faults/proof/checker/ledger-file.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'docent-contract-'));
afterAll(() => rmSync(folder, { recursive: true }));
const CONTRACT = path.join(folder, 'openapi.yaml');
writeFileSync(
  CONTRACT,
  `paths:
  /v2/agent/{projectId}/job:
    post:
      responses: { '201': {}, '500': {}, '503': {} }
components:
  schemas:
    ErrorCode:
      enum: [internal, unavailable]
`,
);

describe('the checker of answers', () => {
  const route = '/v2/agent/{projectId}/job';
  const created = { method: 'post', route, status: 201, code: null, hasRetryAfter: false, isWhole: true, times: 3 };
  const away = { ...created, status: 503, code: 'unavailable', hasRetryAfter: true };
  test.each<[string, LedgerAnswer, RegExp | null]>([
    ['what the contract has', created, null],
    ['an error that it has', away, null],
    ['a status that it has not', { ...created, status: 202 }, /no such answer/],
    ['an operation that it has not', { ...created, route: '/v9/jobs' }, /no such answer/],
    ['a code that it has not', { ...away, code: 'oops' }, /no such code/],
    ['an error without a code', { ...away, code: null, isWhole: false }, /no such code/],
    ['an error without a request id', { ...away, isWhole: false }, /without sentence/],
    ['one that does not say when to come again', { ...away, hasRetryAfter: false }, /come again/],
    ['an error of the server’s own', { ...created, status: 500, code: 'internal' }, /server's own/],
  ])('%s', async (_, answer, wrong) => {
    const found = await checkAnswers(CONTRACT, [answer]);
    if (wrong === null) expect(found).toEqual({ wrong: [], looked: { answers: 3 } });
    else expect(found.wrong.join('\n')).toMatch(wrong);
  });

  test('reads the contract of the API', async () => {
    const contract = path.join(import.meta.dirname, '../../../openapi.yaml');
    expect((await checkAnswers(contract, [created, away])).wrong).toEqual([]);
  });
});
