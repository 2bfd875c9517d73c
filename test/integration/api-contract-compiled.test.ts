import { expect, test } from 'vitest';
import { operations, type OperationId } from '../../src/api/contract/operations.ts';
import { answerCheckOf, validatorOf, type RequestValidator } from '../../src/api/contract/validation.ts';
import { AppError } from '../../src/platform/errors.ts';
import { processorMs } from '../support/processor-time.ts';

/** Whether a value is refused does not matter; a schema that cannot be compiled throws something else. */
function unlessRefused(check: () => unknown): void {
  try {
    check();
  } catch (err) {
    if (!(err instanceof AppError) && !/breaks the contract|lacks the header/.test(String(err))) throw err;
  }
}

test('every check of the contract can be compiled, and a start does not wait for them', () => {
  const made = new Map<OperationId, RequestValidator<OperationId>>();
  const start = processorMs(() => {
    for (const operation of operations) made.set(operation.id, validatorOf(operation));
  });
  const first = processorMs(() => {
    for (const operation of operations) {
      const { id, body, parameters, responses } = operation;
      const validator = made.get(id)!;
      unlessRefused(() => validator.path({}));
      unlessRefused(() => validator.query(''));
      unlessRefused(() =>
        validator.headers(Object.fromEntries(parameters.map(({ name }) => [name.toLowerCase(), '?']))),
      );
      if (body) unlessRefused(() => validator.body({}));
      for (const [status, { content = {}, headers = {} }] of Object.entries(responses)) {
        if (!content['application/json']) continue;
        const given = Object.fromEntries(Object.keys(headers).map((name) => [name.toLowerCase(), '?']));
        unlessRefused(() => answerCheckOf(operation)({ status: Number(status), body: {} }, given));
      }
    }
  });
  expect(start).toBeLessThan(first / 4);
});
